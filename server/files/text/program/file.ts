// Reads the file of the program, a child process that reads one file. The server opens the file before it starts the program.
import { fstatSync, readSync } from 'node:fs'

/** The file descriptor of the file that the program reads. */
export const fileDescriptor = 3

/** Returns all bytes of the file that the program reads. */
export function readInputFile(): Buffer {
  const bytes = Buffer.alloc(fstatSync(fileDescriptor).size)
  let position = 0
  while (position < bytes.length) {
    const count = readSync(fileDescriptor, bytes, position, bytes.length - position, position)
    if (count === 0) throw new Error('The file became shorter')
    position += count
  }
  return bytes
}

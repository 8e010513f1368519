import { readSync, writeSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { maxRowLength, UnreadableTable } from '../table.ts'
import type { ExcelPackage } from './package.ts'

/** The texts of a workbook, to which cells refer by their number. */
export type SharedTexts = { get: (index: number) => string }

const maxTexts = 5_000_000
const blockBytes = 256 * 1024

/**
 * Copies the shared texts into a temporary file, because they may need hundreds of megabytes of memory. A text (`si`) has pieces (`t`), and
 * may have a pronunciation (`rPh`), which is left out.
 */
export async function readSharedTexts(excel: ExcelPackage, file: FileHandle): Promise<SharedTexts> {
  const ends = createNumberList()
  let isText = false
  let isPronunciation = false
  let current = ''
  // one block for all texts, because the memory of many small blocks would be freed late
  const block = Buffer.alloc(blockBytes)
  let waitingBytes = 0
  let writtenBytes = 0
  function flush(): void {
    writtenBytes += writeSync(file.fd, block, 0, waitingBytes, writtenBytes)
    waitingBytes = 0
  }
  function add(text: string): void {
    const length = Buffer.byteLength(text)
    if (waitingBytes + length > blockBytes) flush()
    if (length > blockBytes) writtenBytes += writeSync(file.fd, Buffer.from(text), 0, length, writtenBytes)
    else waitingBytes += block.write(text, waitingBytes)
  }
  const reading = excel.readXml('xl/sharedStrings.xml', {
    open: (element) => {
      if (element === 'si') current = ''
      else if (element === 'rPh') isPronunciation = true
      else if (element === 't') isText = true
    },
    text: (content) => {
      // a longer text makes its row too long, so the rest of it is not needed
      if (isText && !isPronunciation && current.length <= maxRowLength) current += content
    },
    close: (element) => {
      if (element === 't') isText = false
      else if (element === 'rPh') isPronunciation = false
      else if (element === 'si') {
        add(current)
        ends.push(writtenBytes + waitingBytes)
        if (ends.length() > maxTexts) throw new UnreadableTable('too_large')
      }
    },
  })
  for await (const _ of reading); // calls the functions above
  flush()
  let blockStart = 0
  let blockEnd = 0

  function read(start: number, end: number): string {
    if (end - start > blockBytes) {
      const bytes = Buffer.alloc(end - start)
      readSync(file.fd, bytes, 0, bytes.length, start)
      return bytes.toString()
    }
    if (start < blockStart || end > blockEnd) {
      blockStart = start
      blockEnd = start + readSync(file.fd, block, 0, blockBytes, start)
    }
    return block.toString('utf8', start - blockStart, end - blockStart)
  }

  return {
    get: (index) => {
      const isValid = Number.isInteger(index) && index >= 0 && index < ends.length()
      return isValid ? read(index === 0 ? 0 : ends.at(index - 1), ends.at(index)) : ''
    },
  }
}

/** A growing list of numbers below 2^32, with four bytes for each. */
function createNumberList() {
  let numbers = new Uint32Array(1024)
  let length = 0
  return {
    push: (value: number): void => {
      if (length === numbers.length) {
        const larger = new Uint32Array(length * 2)
        larger.set(numbers)
        numbers = larger
      }
      numbers[length++] = value
    },
    at: (index: number): number => numbers[index] ?? 0,
    length: (): number => length,
  }
}

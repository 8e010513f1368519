import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DiskWatch } from '#server/platform/database/disk-watch.ts'
import { errorCode } from '#server/platform/error-code.ts'
import { Refusal } from '#server/platform/refusal.ts'

/** A text in a spool. `parts` are the sections of the file that contain the text, in order. Positions and sizes are in bytes. */
export type SpooledText = { size: number; parts: { position: number; size: number }[] }

/** A temporary file with several texts. They are written alternately, part by part, and each is read as a whole later. */
export type Spool = {
  /** Appends to a text. Throws `storage_full`. */
  append: (text: SpooledText, addition: string) => Promise<void>
  read: (text: SpooledText) => AsyncGenerator<Uint8Array>
  close: () => Promise<void>
}

const chunkBytes = 256 * 1024

/**
 * Opens a spool in the system's temporary folder. It takes no more texts when the disk of the database has too little space, because this is
 * often the same disk. Where the system allows it, the file has no name, so that a crash leaves nothing.
 */
export async function openSpool(disk: Pick<DiskWatch, 'state'>): Promise<Spool> {
  const path = join(tmpdir(), `foyer-takeout-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  await rm(path).catch(() => {}) // Windows may refuse to delete an open file
  let end = 0
  return {
    append: async (text, addition) => {
      if (disk.state() !== 'enough') throw new Refusal('storage_full')
      const bytes = Buffer.from(addition)
      try {
        let offset = 0
        while (offset < bytes.byteLength) {
          const { bytesWritten } = await handle.write(bytes, offset, bytes.byteLength - offset, end + offset)
          offset += bytesWritten
        }
      } catch (error) {
        throw ['ENOSPC', 'EDQUOT'].includes(errorCode(error)) ? new Refusal('storage_full', {}, error) : error
      }
      text.parts.push({ position: end, size: bytes.byteLength })
      text.size += bytes.byteLength
      end += bytes.byteLength
    },
    read: async function* ({ parts }) {
      for (const { position, size } of parts) {
        let offset = 0
        while (offset < size) {
          const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, size - offset))
          const { bytesRead } = await handle.read(chunk, 0, chunk.byteLength, position + offset)
          if (bytesRead === 0) throw new Error('A temporary file is shorter than what was written to it')
          yield chunk.subarray(0, bytesRead)
          offset += bytesRead
        }
      }
    },
    close: async () => {
      await handle.close()
      await rm(path, { force: true })
    },
  }
}

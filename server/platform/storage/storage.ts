// Storage of the bytes of files: in a folder of this machine, or in an S3-compatible store. Names and owners of files are in the database.
import type { ByteRange } from '../http/range.ts'
import { ErrorWithReason } from '../error-with-reason.ts'
import { countTransferredBytes } from '../memory.ts'

/** The size of all parts of an object except the last, which may be shorter. S3 requires at least 5 MiB. */
export const partBytes = 8 * 1024 * 1024

/**
 * Stores objects under keys. An object is written in parts, in any order and several at a time, and can be read after `finishUpload`.
 * The functions throw `StorageError`.
 */
export type Storage = {
  /** Starts to write an object of `size` bytes. Returns the id of the upload for the next functions. */
  startUpload: (key: string, size: number) => Promise<string>
  /**
   * Writes the part with this number, from 0. Throws `wrong_size` if `content` does not have `size` bytes. A part that is written twice
   * has the bytes of one of the two. Returns the ETag of the part for `finishUpload`.
   */
  writePart: (upload: StoredUpload, number: number, content: AsyncIterable<Uint8Array>, size: number) => Promise<string>
  /**
   * Makes the object readable. May be repeated. `etags` are the ETags of all parts in their order. Throws `wrong_parts` if the storage does
   * not have these parts.
   */
  finishUpload: (upload: StoredUpload, etags: readonly string[]) => Promise<void>
  /** Deletes the parts of an upload that will not be finished. May be repeated. Does not delete the object of a finished upload. */
  cancelUpload: (upload: StoredUpload) => Promise<void>
  /** Reads a range of an object. Throws `missing` if there is no such object. */
  read: (key: string, range: ByteRange) => AsyncIterable<Uint8Array>
  /** Deletes an object. May be repeated. */
  delete: (key: string) => Promise<void>
  /** Lists the objects and the unfinished uploads whose key begins with `prefix`, in no particular order. */
  list: (prefix: string) => AsyncIterable<ListedObject>
}

/** An upload that has been started, with the key of its object. */
export type StoredUpload = { key: string; id: string }

/** An object, or an unfinished upload if it has an `uploadId`. `size` is in bytes, and undefined for uploads. */
export type ListedObject = { key: string; size: number | undefined; writtenAt: Date; uploadId: string | undefined }

/**
 * `full`: the disk has no space. `missing`: the object does not exist. `wrong_size`: the content is shorter or longer than announced.
 * `wrong_parts`: the storage does not have the parts of an upload. `unavailable`: the store did not respond, or responded with a failure; a
 * later try may succeed. `refused`: the store refuses the request, because of wrong settings.
 */
export type StorageReason = 'full' | 'missing' | 'wrong_size' | 'wrong_parts' | 'unavailable' | 'refused'

/** Thrown by all functions of a storage. */
export class StorageError extends ErrorWithReason<StorageReason> {
  override name = 'StorageError'
}

/** Passes the content on. Throws `wrong_size` when it ends before `size` bytes or has more. */
export async function* checkSize(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let readBytes = 0
  for await (const chunk of content) {
    readBytes += chunk.byteLength
    if (readBytes > size) break
    countTransferredBytes(chunk.byteLength)
    yield chunk
  }
  if (readBytes !== size) throw new StorageError('wrong_size', `The content does not have ${size} bytes`)
}

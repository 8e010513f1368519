import type { ErrorCode } from '#contract/errors.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { StorageError, type StorageReason } from '#server/platform/storage/storage.ts'

const codes: Record<StorageReason, ErrorCode> = {
  full: 'storage_full',
  missing: 'not_found',
  wrong_size: 'invalid',
  wrong_parts: 'invalid',
  unavailable: 'not_ready',
  refused: 'storage_refused',
}

/** Converts errors of the storage to refusals. `wrongSize` is thrown for content of another size than announced. */
export async function withStorageErrors<T>(work: () => Promise<T>, wrongSize?: Refusal): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toRefusal(error, wrongSize)
  }
}

/**
 * Reads the content of a file, and converts errors of the storage to refusals. If the content is missing, calls `requireFile`, which must
 * throw `not_found` if the file was deleted meanwhile. If `requireFile` does not throw, the bytes of an existing file are lost, and this
 * function throws `bytes_lost`.
 */
export async function* readWithStorageErrors(
  content: AsyncIterable<Uint8Array>,
  requireFile?: () => Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (error) {
    if (!requireFile || !(error instanceof StorageError) || error.reason !== 'missing') throw toRefusal(error)
    await requireFile()
    throw new Refusal('bytes_lost', {}, error)
  }
}

function toRefusal(error: unknown, wrongSize?: Refusal): unknown {
  if (!(error instanceof StorageError)) return error
  if (error.reason === 'wrong_size' && wrongSize) return wrongSize
  return new Refusal(codes[error.reason], {}, error)
}

import type { ErrorCode } from '#contract/errors.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { StorageError, type StorageReason } from '#server/platform/storage/storage.ts'

const codes: Record<StorageReason, ErrorCode> = {
  full: 'storage_full',
  missing: 'not_found',
  wrong_size: 'invalid',
  wrong_parts: 'invalid',
  unavailable: 'not_ready',
  refused: 'internal',
}

/** Converts errors of the storage to refusals. `wrongSize` is thrown for content of another size than announced. */
export async function withStorageErrors<T>(work: () => Promise<T>, wrongSize?: Refusal): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toRefusal(error, wrongSize)
  }
}

/** Reads content, and converts errors of the storage to refusals. */
export async function* readWithStorageErrors(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (error) {
    throw toRefusal(error)
  }
}

function toRefusal(error: unknown, wrongSize?: Refusal): unknown {
  if (!(error instanceof StorageError)) return error
  if (error.reason === 'wrong_size' && wrongSize) return wrongSize
  return new Refusal(codes[error.reason], {}, error)
}

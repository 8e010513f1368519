import type { FastifyRequest } from 'fastify'
import type { ErrorCode } from '#contract/errors.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { toRefusal } from '../problem.ts'

/** The codes whose sentences tell the owner or the operator how to make space. */
const codes: ReadonlySet<ErrorCode> = new Set([
  'record_quota_exceeded',
  'quota_exceeded',
  'disk_low',
  'disk_full',
  'storage_full',
  'storage_refused',
])

/** `describe` returns the sentence that the visitor reads when there is no space for what the visitor sends. */
type VisitorWrite = { caller: Caller; request: Pick<FastifyRequest, 'log'>; describe: () => Promise<string> | string }

/**
 * Runs a write of a visitor. If a quota of the owner is used up, or the server has no space, the refusal has the sentence for the visitor.
 * The sentence of the code is for the owner: it says what to delete and how much space is left. The log has a warning.
 */
export async function writeForVisitor<T>({ caller, request, describe }: VisitorWrite, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const { code } = toRefusal(error)
    if (!codes.has(code)) throw error
    request.log.warn({ owner: caller.owner, code }, 'a visitor was refused, because there is no space')
    throw new Refusal(code, { detail: await describe() }, error)
  }
}

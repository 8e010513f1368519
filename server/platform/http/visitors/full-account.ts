import type { FastifyRequest } from 'fastify'
import type { Caller } from '#server/platform/database/transaction.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { toRefusal } from '../problem.ts'

/** `describe` returns the sentence that the visitor reads when the account of the owner is full. */
type VisitorWrite = { caller: Caller; request: Pick<FastifyRequest, 'log'>; describe: () => Promise<string> | string }

/**
 * Runs a write of a visitor. If a quota of the owner is used up, the refusal has the sentence for the visitor, because that of the code tells
 * the owner what to delete, and how much space is left; the log has a warning.
 */
export async function writeForVisitor<T>({ caller, request, describe }: VisitorWrite, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const { code } = toRefusal(error)
    if (code !== 'record_quota_exceeded' && code !== 'quota_exceeded') throw error
    request.log.warn({ owner: caller.owner, code }, 'a visitor was refused, because the owner has used up a quota')
    throw new Refusal(code, { detail: await describe() }, error)
  }
}

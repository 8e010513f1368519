// What a visitor reads when the records of the owner use up their quota.
import type { FastifyRequest } from 'fastify'
import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { toRefusal } from '#server/platform/http/problem.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { readMailDetails } from './mails.ts'

const sentences = {
  book: 'This page cannot take bookings at the moment.',
  change: 'This booking cannot be changed at the moment.',
} as const

type Write = { database: Database; caller: Caller; request: Pick<FastifyRequest, 'log'>; purpose: keyof typeof sentences }

/**
 * Runs a write of a visitor. If the owner's quota is used up, the refusal has a sentence for the visitor, because that of the code tells the
 * owner what to delete; the log has a warning.
 */
export async function writeForVisitor<T>({ database, caller, request, purpose }: Write, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const { code } = toRefusal(error)
    if (code !== 'record_quota_exceeded') throw error
    request.log.warn({ owner: caller.owner }, 'a visitor was refused, because the records of the owner use up their quota')
    const { owner_name: name } = await database.read(caller, () => readMailDetails(caller.owner, undefined))
    const detail = `${sentences[purpose]} Please contact ${name === '' ? 'the person whom you want to meet' : name} another way.`
    throw new Refusal(code, { detail }, error)
  }
}

import * as z from 'zod/mini'
import { maxProposalItems } from '#contract/proposals.ts'
import { callRoute } from '#server/platform/http/call-route.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { ToolKind } from './kinds.ts'
import { toQuery, type CriteriaInput } from './read-records.ts'
import { idOf, readRecord, requireRoute, type FullRecord } from './records.ts'
import { readerOf, type ToolCall, type ToolContext } from './tool.ts'

/** The records that a change is proposed for: links or ids, or all records that match. */
export type SelectedRecords = { records?: string[] | undefined; matching?: CriteriaInput | undefined }

const Ids = z.object({ rows: z.array(z.looseObject({ id: z.string() })), next: z.nullable(z.string()) })

/** Reads the selected records. Throws `not_found` if one of them is missing, and `too_many` above `maxProposalItems`. */
export async function readSelectedRecords(
  { router, context }: ToolContext,
  kind: ToolKind,
  { records, matching }: SelectedRecords,
  call: ToolCall,
): Promise<FullRecord[]> {
  if ((records === undefined) === (matching === undefined))
    throw new Refusal('invalid', { fields: { records: 'Send either records or matching' } })
  const reader = readerOf(call)
  const list = async (criteria: CriteriaInput): Promise<string[]> => {
    const query = { ...toQuery(criteria), limit: maxProposalItems }
    const { rows, next } = Ids.parse(await callRoute(router, requireRoute(kind.routes.list), reader, { query }))
    if (next !== null)
      throw new Refusal('too_many', { fields: { matching: `More than ${maxProposalItems} ${kind.recordKind.plural} match` } })
    return rows.map(({ id }) => id)
  }
  const ids = matching ? await list(matching) : (records ?? []).map(idOf)
  // the reads are sent in one batch
  return context.database.read(reader, () => Promise.all([...new Set(ids)].map((id) => readRecord(router, reader, kind, id))))
}

/** Returns the values of a record's fields that have the same names as `fields`. */
export const pickFields = (record: FullRecord, fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.keys(fields).flatMap((name) => (name in record ? [[name, record[name] ?? null]] : [])))

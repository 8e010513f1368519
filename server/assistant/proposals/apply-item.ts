import type { ProposalItem } from '#contract/proposals.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { callRoute } from '#server/platform/http/call-route.ts'
import { conflictOf } from '#server/platform/journal/conflict.ts'
import { readColumnChanges } from '#server/platform/journal/history.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { shapeOf, type ToolKind } from '../tools/kinds.ts'
import { checkProposedFields, newKeyOf } from '../tools/proposed-fields.ts'
import { readRecord, requireRoute } from '../tools/records.ts'
import { lockRecord } from './proposals.store.ts'
import type { ProposalServices } from './services.ts'

/** A change that the user has ticked, perhaps with edited fields. */
export type TickedItem = {
  key: string
  fields?: Record<string, unknown> | undefined
  version?: number | undefined
  allow_duplicate?: boolean | undefined
}

/** The parts of a change to apply. `applied`: the changes before it. */
type Change = { kind: ToolKind; item: ProposalItem; edit: TickedItem; applied: readonly ProposalItem[] }
type Outcome = { id: string; fields: Record<string, unknown> }

/** Makes one change through the route of its record, in the open transaction. Returns the id of the record and the fields as applied. */
export function applyItem(services: ProposalServices, caller: Caller, change: Change): Promise<Outcome> {
  return applyByAction[change.item.action](services, caller, change)
}

const applyByAction: Record<ProposalItem['action'], (services: ProposalServices, caller: Caller, change: Change) => Promise<Outcome>> = {
  create: async ({ router }, caller, { kind, item, edit, applied }) => {
    const fields = resolveNewLinks(checkProposedFields(kind, 'create', edit.fields ?? item.fields, applied), applied)
    const route = requireRoute(kind.routes.create)
    const allowDuplicate = edit.allow_duplicate === true && 'allow_duplicate' in shapeOf(route.body)
    const body = { ...fields, ...(allowDuplicate && { allow_duplicate: true }) }
    return { id: readId(await callRoute(router, route, caller, { body })), fields }
  },
  update: async ({ router }, caller, { kind, item, edit, applied }) => {
    const id = requireId(item)
    const fields = resolveNewLinks(checkProposedFields(kind, 'update', edit.fields ?? item.fields, applied), applied)
    const body = { ...fields, version: edit.version ?? item.version ?? undefined }
    await callRoute(router, requireRoute(kind.routes.update), caller, { params: { id }, body })
    return { id, fields }
  },
  delete: async ({ router }, caller, { kind, item, edit }) => {
    const id = requireId(item)
    await refuseChangedRecord({ router }, caller, { kind, item, version: edit.version ?? item.version })
    await callRoute(router, requireRoute(kind.routes.delete), caller, { params: { id } })
    return { id, fields: {} }
  },
  tag: async ({ router }, caller, { kind, item, edit }) => {
    const id = requireId(item)
    const fields = edit.fields ?? item.fields
    await callRoute(router, requireRoute(kind.routes.tag), caller, { body: { ...fields, ids: [id] } })
    return { id, fields }
  },
}

/** Throws `conflict` if the record was changed after the user saw it, because the user has not seen the values that would be deleted. */
async function refuseChangedRecord(
  { router }: Pick<ProposalServices, 'router'>,
  caller: Caller,
  { kind, item, version }: { kind: ToolKind; item: ProposalItem; version: number | null },
): Promise<void> {
  const id = requireId(item)
  const { table } = kind.recordKind
  const current = await lockRecord(caller.owner, table, id)
  if (current === undefined) throw new Refusal('not_found')
  if (version === null || current === version) return
  const [record, changes] = await Promise.all([readRecord(router, caller, kind, id), readColumnChanges(caller.owner, table, id, version)])
  const conflict = conflictOf(item.before, record, changes)
  if (conflict) throw new Refusal('conflict', { conflict })
}

/** Replaces links to new records by the ids of the added records. */
const resolveNewLinks = (fields: Record<string, unknown>, applied: readonly ProposalItem[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const key = newKeyOf(value)
      return [name, key === undefined ? value : (applied.find((each) => each.key === key)?.id ?? value)]
    }),
  )

function requireId({ id }: ProposalItem): string {
  if (id === null) throw new Error('A change of a record has no id')
  return id
}

function readId(record: unknown): string {
  if (typeof record === 'object' && record !== null && 'id' in record && typeof record.id === 'string') return record.id
  throw new Error('A route returned a new record without an id')
}

// What a webhook delivery sends.
import { apiPathOf, recordKinds } from '#contract/kinds.ts'
import { allRoutes } from '#contract/routes.ts'
import { webhookKinds } from '#contract/webhooks.ts'
import * as z from 'zod/mini'
import type { DueDelivery } from './deliveries.store.ts'

/** A table whose changes are sent: the name of its kind in events, and the fields that the API has too. */
export type SentTable = { table: string; name: string; fields: readonly string[] }

/** Returns the tables whose changes are sent. The fields are those of the route that returns one record. */
export const listSentTables = (): SentTable[] =>
  webhookKinds.map(({ kind, name }) => {
    const { table, plural } = recordKinds[kind]
    const route = allRoutes.find(({ method, path }) => method === 'GET' && path === `${apiPathOf(plural)}/{id}`)
    const shape = route?.out instanceof z.ZodMiniObject ? route.out.def.shape : {}
    return { table, name, fields: Object.keys(shape).filter((field) => !systemFields.has(field)) }
  })

/** Fields that are sent in another form, or that the journal leaves out. */
const systemFields = new Set(['id', 'version', 'updated_at'])

/**
 * Returns the body of a delivery; undefined if the change was erased. All values come from the journal, so the body is the same in every
 * attempt. A test delivery has no data.
 */
export function toBody(tables: readonly SentTable[], delivery: DueDelivery): string | undefined {
  const { event, record_id: id, change_id: change, actor, actor_name, at } = delivery
  if (change === null) return JSON.stringify({ type: event, timestamp: delivery.created_at, data: {} })
  const table = tables.find((each) => each.table === delivery.table_name)
  const values = describeValues(table?.fields ?? [], delivery)
  return values && JSON.stringify({ type: event, timestamp: at, data: { id, ...values, change, actor, actor_name } })
}

/** Returns the whole record that was created or deleted, or the changed fields; undefined if the journal no longer has them. */
function describeValues(fields: readonly string[], { operation, before, after }: DueDelivery): object | undefined {
  if (operation === 'I') return after ? { record: pick(fields, after) } : undefined
  if (operation === 'D') return before ? { record: pick(fields, before) } : undefined
  if (!before || !after) return undefined
  const changed = fields.filter((field) => Object.hasOwn(after, field))
  return { changes: Object.fromEntries(changed.map((field) => [field, { before: before[field] ?? null, after: after[field] ?? null }])) }
}

const pick = (fields: readonly string[], image: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(fields.filter((field) => Object.hasOwn(image, field)).map((field) => [field, image[field]]))

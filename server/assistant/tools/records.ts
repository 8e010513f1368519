// Reading single records of any kind through their routes.
import * as z from 'zod/mini'
import type { Reference } from '#contract/assistant.ts'
import type { Route } from '#contract/route.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { callRoute } from '#server/platform/http/call-route.ts'
import type { Router } from '#server/platform/http/mount.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { getKind, type ToolKind } from './kinds.ts'

const FullRecord = z.looseObject({ id: z.string(), version: z.int() })
export type FullRecord = z.infer<typeof FullRecord>

/** Returns a record of the owner. Throws `not_found`. */
export async function readRecord(router: Router, caller: Caller, { routes }: ToolKind, id: string): Promise<FullRecord> {
  return FullRecord.parse(await callRoute(router, requireRoute(routes.get), caller, { params: { id } }))
}

/** Returns the route. Throws `invalid` if the kind does not have it. */
export function requireRoute(route: Route | undefined): Route {
  if (!route) throw new Refusal('invalid', { fields: { kind: 'This is not possible for this kind' } })
  return route
}

/** Returns the kind and the id of a record's link, such as `foyer:deal/<id>`. Throws `invalid`. */
export function parseRecordLink(toolKinds: readonly ToolKind[], link: string): { kind: ToolKind; id: string } {
  const [, name = '', id = ''] = /^(?:foyer:)?(\w+)\/([\w-]+)$/.exec(link.trim()) ?? []
  if (!toolKinds.some((kind) => kind.name === name))
    throw new Refusal('invalid', { fields: { record: 'Send the link of a record, such as foyer:deal/<id>' } })
  return { kind: getKind(toolKinds, name), id }
}

/** Returns the id in the link of a record, or the text itself, which may be an id. */
export const idOf = (text: string): string => /^foyer:\w+\/(.+)$/.exec(text.trim())?.[1] ?? text.trim()

/** Returns the title of a record in one line. */
export const titleOf = ({ recordKind }: ToolKind, record: Readonly<Record<string, unknown>>): string =>
  recordKind.titleOf(record).replaceAll(/\s+/g, ' ').trim().slice(0, 200).toWellFormed()

/** Returns the reference to a record, in an array; an empty array if the row has no id. */
export const toReference = (kind: ToolKind, row: Readonly<Record<string, unknown>>): Reference[] =>
  typeof row['id'] === 'string' ? [{ kind: kind.name, id: row['id'], title: titleOf(kind, row) }] : []

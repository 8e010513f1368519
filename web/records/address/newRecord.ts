import * as z from 'zod/mini'
import type { KindName } from '#contract/kinds.ts'

/** The ids of linked records by kind. */
type Links<Kind extends KindName> = Partial<Record<Kind, string | undefined>>

/** Parses the ids of the records that a new record is linked to: `?contact=ID&company=ID`. Drops invalid ids. */
export function parseLinks<const Kind extends KindName>(parameters: Record<string, unknown>, kinds: readonly Kind[]): Links<Kind> {
  const links: Links<Kind> = {}
  for (const kind of kinds) links[kind] = z.safeParse(z.uuid(), parameters[kind]).data
  return links
}

/** Converts links to fields: `{ contact: ID }` becomes `{ contact_id: ID }`. */
export const toLinkFields = (links: Links<KindName>): Record<string, string> =>
  Object.fromEntries(Object.entries(links).flatMap(([kind, id]) => (id ? [[`${kind}_id`, id]] : [])))

const Text = z.union([z.string(), z.number()]) // the router parses the text 42 in a URL as a number

/** Parses a text parameter of a URL, and cuts it to 200 characters. */
export function parseText(value: unknown): string | undefined {
  const text = Text.safeParse(value).data
  return text === undefined ? undefined : String(text).slice(0, 200)
}

import * as z from 'zod/mini'
import type { KindName } from '#contract/kinds.ts'

type Links<Kind extends KindName> = Partial<Record<Kind, string | undefined>>

/** The records that the address of a new record links it to: `?contact=ID&company=ID`. Anything but an id is left out. */
export const parseLinks = <const Kind extends KindName>(search: Record<string, unknown>, kinds: readonly Kind[]): Links<Kind> =>
  kinds.reduce<Links<Kind>>((links, kind) => ({ ...links, [kind]: z.safeParse(z.uuid(), search[kind]).data }), {})

/** The links as fields: `{ contact: ID }` becomes `{ contact_id: ID }`. */
export const linkFields = (links: Links<KindName>): Record<string, string> =>
  Object.fromEntries(Object.entries(links).flatMap(([kind, id]) => (id ? [[`${kind}_id`, id]] : [])))

const Text = z.union([z.string(), z.number()]) // the router reads 42 as a number

/** A text of an address, at most 200 characters. */
export function parseText(value: unknown): string | undefined {
  const text = Text.safeParse(value).data
  return text === undefined ? undefined : String(text).slice(0, 200)
}

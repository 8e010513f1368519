import * as z from 'zod/mini'
import type { Linked } from '#web/records/kind/kind.ts'

const Id = z.pipe(
  z.unknown(),
  z.transform((value: unknown) => z.safeParse(z.uuid(), value).data),
)

/** What an address may say of a new record: what it is linked to. */
export const PrefilledLinks = z.object({ contact: z.optional(Id), company: z.optional(Id), deal: z.optional(Id) } satisfies Record<
  Linked,
  unknown
>)
export type PrefilledLinks = z.infer<typeof PrefilledLinks>

/** The links as fields: `{ contact: ID }` is `{ contact_id: ID }`. */
export const linkFields = (links: PrefilledLinks): Record<string, string> =>
  Object.fromEntries(Object.entries(links).flatMap(([noun, id]) => (id ? [[`${noun}_id`, id]] : [])))

const Text = z.union([z.string(), z.number()]) // the router reads 42 as a number

/** What somebody typed, as an address carries it; undefined without any. */
export function typedInAddress(value: unknown): string | undefined {
  const typed = Text.safeParse(value).data
  return typed === undefined ? undefined : String(typed).slice(0, 200)
}

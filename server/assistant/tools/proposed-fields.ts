import type { ProposalItem } from '#contract/proposals.ts'
import { refuseUnstorable } from '#server/platform/http/body.ts'
import { checkInput } from '#server/platform/http/check.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { linkFields, writableFields, type ToolKind } from './kinds.ts'
import { idOf, requireRoute } from './records.ts'

/** A link to a new record of the same proposal is `new:` and the key of its item. */
const newPrefix = 'new:'
/** Returns the key in a link such as `new:c1`; undefined for another value. */
export const newKeyOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.startsWith(newPrefix) ? value.slice(newPrefix.length) : undefined
/** Returns the link to a new record by the key of its item: `new:c1` for `c1`. */
export const toNewLink = (key: string): string => newPrefix + key

/** An id that passes the checks of link fields, in place of links to new records. */
const placeholderId = '00000000-0000-7000-8000-000000000000'

/**
 * Checks the fields of a new record or an edit with the schema of its route, as the route will do when the change is applied. Returns
 * them as the schema cleans them. `items`: the changes that are proposed already, to which links may refer. Throws `invalid`.
 */
export function checkProposedFields(
  kind: ToolKind,
  action: 'create' | 'update',
  fields: Readonly<Record<string, unknown>>,
  items: readonly ProposalItem[],
): Record<string, unknown> {
  refuseUnstorable(fields, '')
  const route = requireRoute(kind.routes[action])
  refuseUnknownFields(Object.keys(fields), Object.keys(writableFields(route)))
  const links = linkFields(kind.recordKind)
  const cleaned = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, links.has(name) && typeof value === 'string' ? idOf(value) : value]),
  )
  const newLinks = Object.entries(cleaned).filter(([name, value]) => links.has(name) && newKeyOf(value) !== undefined)
  for (const [name, value] of newLinks) refuseUnknownKey(name, newKeyOf(value), links.get(name), items)
  const withPlaceholders = { ...cleaned, ...Object.fromEntries(newLinks.map(([name]) => [name, placeholderId])) }
  const checked = checkInput(requireBody(route.body), withPlaceholders)
  const result: Record<string, unknown> = { ...(typeof checked === 'object' && checked), ...Object.fromEntries(newLinks) }
  return Object.fromEntries(Object.keys(fields).map((name) => [name, result[name]]))
}

function refuseUnknownFields(names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const message = `This field is not known. The fields are ${known.join(', ')}`
  throw new Refusal('invalid', { fields: Object.fromEntries(unknown.map((name) => [name, message])) })
}

/** Refuses a link to a new record that is not proposed, or that is of another kind. */
function refuseUnknownKey(field: string, key: string | undefined, kind: string | undefined, items: readonly ProposalItem[]): void {
  const isProposed = items.some((item) => item.action === 'create' && item.key === key && item.kind === kind)
  if (!isProposed) throw new Refusal('invalid', { fields: { [field]: `There is no proposed ${kind} with this key` } })
}

function requireBody<Body>(body: Body | undefined): Body {
  if (body === undefined) throw new Error('A route of a record kind has no body')
  return body
}

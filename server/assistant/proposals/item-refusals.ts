import { errors, type ErrorCode, type ProblemExtras } from '#contract/errors.ts'
import type { ProposalItem } from '#contract/proposals.ts'
import { constraintName } from '#server/platform/error-code.ts'
import { Refusal } from '#server/platform/refusal.ts'

/** Why one change of a proposal is not possible. */
export type ItemRefusal = { code: ErrorCode; extras: Pick<ProblemExtras, 'fields' | 'items'> }

/** The codes of refusals that concern one change. The other changes are still tried, so that the user sees all refusals at once. */
const codesOfItems: ReadonlySet<string> = new Set(['invalid', 'not_found', 'conflict', 'duplicate', 'too_many'])

/** Returns why a change failed, with its fields named `items.<key>.<field>`. Throws errors that concern all changes. */
export function refuseItem({ key, kind }: ProposalItem, error: unknown): ItemRefusal {
  const prefix = `items.${key}`
  if (constraintName(error) === 'large_delete') {
    return { code: 'too_many', extras: { fields: { [prefix]: `Very many records belong to this ${kind}. Delete it in its list.` } } }
  }
  if (!(error instanceof Refusal) || !codesOfItems.has(error.code)) throw error
  const { code, extras } = error
  const { fields = {}, conflict, matches, detail = sentenceOf(code, kind) } = extras
  const sentences = { ...fields, ...Object.fromEntries(conflict?.fields.map(({ field }) => [field, errors.conflict[1]]) ?? []) }
  const named = Object.entries(sentences).map(([field, message]) => [`${prefix}.${field}`, message])
  return {
    code,
    extras: {
      fields: named.length === 0 ? { [prefix]: detail } : Object.fromEntries(named),
      ...((conflict ?? matches) && { items: { [key]: { ...(conflict && { conflict }), ...(matches && { matches }) } } }),
    },
  }
}

const sentenceOf = (code: ErrorCode, kind: string): string => (code === 'not_found' ? `This ${kind} is no longer here` : errors[code][1])

/** Returns one refusal for all: the code of the first, and the fields, the conflicts and the matches of all. */
export function joinRefusals(refusals: readonly ItemRefusal[]): Refusal {
  const [first] = refusals
  if (!first) throw new Error('There is no refusal')
  const fields = Object.assign({}, ...refusals.map(({ extras }) => extras.fields))
  const items = Object.assign({}, ...refusals.map(({ extras }) => extras.items))
  return new Refusal(first.code, { fields, ...(Object.keys(items).length > 0 && { items }) })
}

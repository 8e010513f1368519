import * as z from 'zod/mini'
import { Problem } from '#contract/errors.ts'
import { ProblemError } from '#web/lib/client.ts'

const { conflict, matches } = Problem.shape

/** Why a change of a proposal was refused. */
export const ItemRefusal = z.object({
  /** About the change as a whole; empty if only its fields are wrong. */
  message: z.string(),
  /** The messages of fields. */
  fields: z.record(z.string(), z.string()),
  /** The fields that were changed since the proposal was made, with the version that has their new values. */
  conflict,
  /** The records that look the same as the new one. */
  matches,
})
export type ItemRefusal = z.infer<typeof ItemRefusal>

/** The refused changes by their keys. */
export type Refusals = Readonly<Record<string, ItemRefusal>>

/** `items.<key>` or `items.<key>.<field>`. */
const pathPattern = /^items\.([^.]+)(?:\.(.+))?$/

/** Returns the refused changes; undefined if the error does not concern single changes. */
export function readRefusals(error: unknown): Refusals | undefined {
  if (!(error instanceof ProblemError)) return undefined
  const { fields = {}, items = {} } = error.problem
  const refusals: Record<string, ItemRefusal> = {}
  for (const [path, message] of Object.entries(fields)) {
    const [, key, field] = pathPattern.exec(path) ?? []
    if (key === undefined) continue
    const refusal = refusals[key] ?? { message: '', fields: {}, ...items[key] }
    refusals[key] = field === undefined ? { ...refusal, message } : { ...refusal, fields: { ...refusal.fields, [field]: message } }
  }
  return Object.keys(refusals).length === 0 ? undefined : refusals
}

/**
 * Returns the refusals of the newest attempt, together with the conflicts and matches of earlier attempts, because the user's decisions
 * about them are sent again.
 */
export function addRefusals(earlier: Refusals, added: Refusals): Refusals {
  const decided = Object.entries(earlier).filter(([, refusal]) => refusal.conflict ?? refusal.matches)
  return { ...Object.fromEntries(decided.map(([key, refusal]) => [key, { ...refusal, message: '', fields: {} }])), ...added }
}

/** Removes the refusal of a change that the user has edited. Keeps the version of a conflict, because it is sent with the edited values. */
export function removeRefusal(refusals: Refusals, key: string): Refusals {
  const { [key]: removed, ...others } = refusals
  const seen = removed?.conflict
  return seen ? { ...others, [key]: { message: '', fields: {}, conflict: { ...seen, fields: [] } } } : others
}

/** Returns true if the last attempt has refused the change. */
export const isRefused = ({ message, fields }: ItemRefusal): boolean => message !== '' || Object.keys(fields).length > 0

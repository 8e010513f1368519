import type { Problem } from '#contract/errors.ts'
import { changedSince } from './history.ts'

type Edit = {
  owner: string
  table: string
  id: string
  /** The version that the edit started from. */
  version: number
  /** What the edit wants, by column. */
  fields: Record<string, unknown>
  /** The row as it stands, its version included. */
  current: Record<string, unknown> & { version: number }
}

/**
 * What stands in the way of an edit that started from an older version: the fields that it wants to change and that were
 * changed since to something else. Undefined when there are none; then the edit merges silently.
 */
export async function conflictOf({ owner, table, id, version, fields, current }: Edit): Promise<Problem['conflict']> {
  const changes = await changedSince(owner, table, id, version)
  const theirs = changes.filter(({ column }) => column in fields && !isSame(fields[column], current[column]))
  const [latest] = theirs.toSorted((one, other) => other.at.localeCompare(one.at))
  if (!latest) return undefined
  const columns = [...new Set(theirs.map(({ column }) => column))]
  return {
    version: current.version,
    actor: latest.actor,
    at: latest.at,
    fields: columns.map((field) => ({ field, yours: fields[field], theirs: current[field] })),
  }
}

const isSame = (one: unknown, other: unknown): boolean => (one ?? '') === (other ?? '')

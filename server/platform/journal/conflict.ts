import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '#contract/errors.ts'
import type { ColumnChange } from './history.ts'

/**
 * Returns the fields of an edit that others changed to other values since the edit started; undefined if there are none. `row`: the current
 * row as users see it. `changes`: the columns that changed since then. Ignores derived columns, which `row` does not contain.
 */
export function conflictOf(fields: Record<string, unknown>, row: { version: number }, changes: ColumnChange[]): Problem['conflict'] {
  const current = new Map(Object.entries(row))
  const conflictingChanges = changes.filter(
    ({ column }) => column in fields && current.has(column) && !isSame(fields[column], current.get(column)),
  )
  const [latest] = conflictingChanges.toSorted((a, b) => b.at.localeCompare(a.at))
  if (!latest) return undefined
  return {
    version: row.version,
    actor: latest.actor,
    actor_name: latest.actor_name,
    at: latest.at,
    fields: conflictingChanges.map(({ column }) => ({ field: column, yours: fields[column], theirs: current.get(column) })),
  }
}

/** Compares JSON values, as the journal does: the order of keys is ignored, '' is not null, '1' is not 1. */
const isSame = (first: unknown, second: unknown): boolean => isDeepStrictEqual(toJson(first), toJson(second))

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

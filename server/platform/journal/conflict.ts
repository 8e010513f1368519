import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '#contract/errors.ts'
import type { ColumnChange } from './history.ts'

/** Returns the fields of an edit that were changed to other values in the meantime; undefined if there are none. */
export function conflictOf(fields: Record<string, unknown>, row: { version: number }, changes: ColumnChange[]): Problem['conflict'] {
  const current = new Map(Object.entries(row))
  const theirs = changes.filter(({ column }) => column in fields && !isSame(fields[column], current.get(column)))
  const [latest] = theirs.toSorted((one, other) => other.at.localeCompare(one.at))
  if (!latest) return undefined
  return {
    version: row.version,
    actor: latest.actor,
    at: latest.at,
    fields: theirs.map(({ column }) => ({ field: column, yours: fields[column], theirs: current.get(column) })),
  }
}

/** Compares JSON values, as the journal does: the order of keys is ignored, '' is not null, '1' is not 1. */
const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(toJson(one), toJson(other))

const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

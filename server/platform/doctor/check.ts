// Checks of an installation, for the command `npm run doctor`.
import type pg from 'pg'
import type { Storage } from '../storage/storage.ts'

/** A result of a check: a sentence about the state and, unless it is `ok`, a sentence that says what to do. */
export type Finding = { status: 'ok' | 'warning' | 'error'; text: string }

/** A check, and the name that is shown with its findings. */
export type Check = { name: string; run: () => Promise<Finding[]> }

/** What the checks of rows and stored bytes need. `tableOwner` connects as the role that owns the tables, and bypasses row security. */
export type CheckContext = {
  tableOwner: pg.Client
  storage: Storage
  now: Date
  quotaBytes: number
  /** The tables whose rows must be journaled. */
  journaledTables: readonly string[]
  /** Also reads all bytes of files. */
  comparesHashes: boolean
  /** Repairs what can be repaired without risk. */
  repairs: boolean
}

/** Functions that create a finding of each status. */
export const ok = (text: string): Finding => ({ status: 'ok', text })
export const warning = (text: string): Finding => ({ status: 'warning', text })
export const error = (text: string): Finding => ({ status: 'error', text })

/** Runs the checks one after the other. A check that throws gives an error. */
export async function* runChecks(checks: readonly Check[]): AsyncGenerator<Finding & { name: string }> {
  for (const { name, run } of checks) {
    const findings = await run().catch((thrown: unknown) => [
      error(`This could not be checked: ${thrown instanceof Error ? thrown.message || thrown.name : String(thrown)}.`),
    ])
    for (const finding of findings) yield { name, ...finding }
  }
}

/** Returns the number with its noun: "1 file", "2,000 files". */
export const countOf = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`

/** Returns the first of the names, and how many more there are. */
export function listSome(names: readonly string[], max = 3): string {
  const more = names.length > max ? ` and ${countOf(names.length - max, 'more', 'more')}` : ''
  return names.slice(0, max).join(', ') + more
}

/** Returns a size in MB or GB. */
export const formatBytes = (bytes: number): string => (bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`)

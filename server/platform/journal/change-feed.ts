import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { ChangeEvent } from '#contract/events.ts'

type Listener = (event: ChangeEvent) => void

/** Tells listeners about the changes of owners soon after their commit. */
export type ChangeFeed = {
  /**
   * Calls `listener` for every change set that the owner commits after the promise has resolved, and for some that are committed shortly
   * before, until the returned function is called. If the database cannot be read, changes are missed until it can be read again.
   */
  subscribe: (owner: string, listener: Listener) => Promise<() => void>
  stop: () => Promise<void>
}

const pollIntervalMs = 200
const retryDelayMs = 500

/**
 * Publishes the change sets of all processes soon after their commit. Polls the database only while there are listeners. After a lost
 * connection it continues where it stopped, except that writes of tables without a journal are lost after 10 minutes. `pool` must connect
 * as the role that owns the tables, because this role can read the rows of all owners.
 */
export function createChangeFeed(pool: pg.Pool): ChangeFeed {
  const listeners = new Map<string, Set<Listener>>()
  const stopController = new AbortController()
  let running: Promise<void> | undefined
  /** The poll that is running. It does not return the changes of owners that are added meanwhile. */
  let runningPoll: Promise<Poll | undefined> | undefined

  const pollUntilUnused = async (): Promise<void> => {
    let snapshot: string | undefined
    while (listeners.size > 0 && !stopController.signal.aborted) {
      // a failed query is retried after a pause
      runningPoll = readChangesSince(pool, snapshot, [...listeners.keys()]).catch(() => undefined)
      const poll = await runningPoll
      runningPoll = undefined
      snapshot = poll?.snapshot ?? snapshot
      for (const { owner, ...event } of poll?.changes ?? []) {
        for (const listener of listeners.get(owner) ?? []) notify(listener, event)
      }
      await pause(poll ? pollIntervalMs : retryDelayMs, stopController.signal)
    }
    running = undefined
  }

  return {
    subscribe: async (owner, listener) => {
      listeners.set(owner, (listeners.get(owner) ?? new Set()).add(listener))
      running ??= pollUntilUnused()
      await runningPoll // the next poll returns what is committed from now on
      return () => {
        listeners.get(owner)?.delete(listener)
        if (listeners.get(owner)?.size === 0) listeners.delete(owner)
      }
    },
    stop: async () => {
      stopController.abort()
      await running
    },
  }
}

/**
 * Returns an SQL condition: the transaction `xid` that wrote the row is visible now and was not visible in the last snapshot `$1`, and the
 * owner is one of `$2`. A snapshot of PostgreSQL says which transactions were committed at a time.
 */
const isNewSql = (table: string): string =>
  `${table}.xid >= pg_snapshot_xmin($1::pg_snapshot) and pg_visible_in_snapshot(${table}.xid, current.snapshot)
   and not pg_visible_in_snapshot(${table}.xid, $1::pg_snapshot) and ${table}.user_id = any ($2)`

type Poll = { snapshot: string; changes: (ChangeEvent & { owner: string })[] }

/**
 * Returns the change sets, and the published writes of tables without a journal, that are visible now and were not visible in the last
 * snapshot. Each is returned exactly once, however long its transaction took; a cursor by id or time could miss some. The statement is not
 * prepared, so that each snapshot gets its own plan. SQL aliases: `c` is a change set, `j` a journal line, `w` a write without a journal.
 */
async function readChangesSince(pool: pg.Pool, snapshot: string | undefined, owners: string[]): Promise<Poll> {
  const { rows } = await pool.query<{ snapshot: string; change: string; owner: string; tables: string[] | null }>(
    `with current as materialized (select pg_current_snapshot() as snapshot)
     select current.snapshot::text as snapshot, written.id as change, written.user_id as owner, written.tables
     from current
     left join lateral (
       select c.xid, c.id, c.user_id, (select array_agg(distinct j.table_name) from journal j where j.change = c.id) as tables
       from changesets c where ${isNewSql('c')}
       union all
       select w.xid, w.id, w.user_id, array[w.table_name] from unjournaled_writes w where ${isNewSql('w')}
     ) written on true
     order by written.xid`,
    [snapshot ?? null, owners],
  )
  const changes = rows.flatMap(({ change, owner, tables }) => (tables ? [{ change, owner, tables }] : []))
  return { snapshot: rows[0]?.snapshot ?? '', changes }
}

/** Calls a listener. An error of the listener is a warning, so that the other listeners are still called. */
function notify(listener: Listener, event: ChangeEvent): void {
  try {
    listener(event)
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}

/** Waits. Ends early when the signal is aborted. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {})
}

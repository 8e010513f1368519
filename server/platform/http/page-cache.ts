import type { FastifyRequest } from 'fastify'
import { sql, type Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { LoadedPage } from './public-pages.ts'
import { visitorOf, visitorOfOwner } from './visitor.ts'

/** A page may depend on the time, such as the times that can still be booked, so it is loaded again after this time. */
const maxAgeMs = 1000
/** The oldest pages are removed above this size. */
const maxBytes = 8_000_000

type Entry = { page: LoadedPage; owner: string; snapshot: string; loadedAt: number }

/** A cache in memory for the pages that many visitors open. */
export type PageCache = {
  /**
   * Returns the page at the address of the request, as `load` returns it. A page with an owner is kept for at most `maxAgeMs`, and is
   * loaded again earlier if its owner has changed anything, in this or another process. So the page contains everything that was committed
   * before the call; only values that depend on the time may be `maxAgeMs` old.
   */
  get: (request: FastifyRequest, load: () => Promise<LoadedPage | undefined>) => Promise<LoadedPage | undefined>
}

/** Creates an empty cache. Calls for the same address at the same time load the page only once. */
export function createPageCache(database: Database, now: () => Date): PageCache {
  const entries = new Map<string, Entry>()
  const share = createSharedRuns<LoadedPage | undefined>()
  let bytes = 0

  function remove(key: string): void {
    bytes -= entries.get(key)?.page.template.bytes ?? 0
    entries.delete(key)
  }

  function add(key: string, entry: Entry): void {
    remove(key)
    entries.set(key, entry)
    bytes += entry.page.template.bytes
    for (const oldest of entries.keys()) {
      if (bytes <= maxBytes) break
      remove(oldest)
    }
  }

  async function getCurrentPage(request: FastifyRequest, load: () => Promise<LoadedPage | undefined>): Promise<LoadedPage | undefined> {
    const { url: key } = request
    const entry = entries.get(key)
    const startedAt = now().getTime()
    const caller = entry ? visitorOfOwner(entry.owner) : visitorOf(request)
    const { snapshot, hasChanged } = await readChangesSince(database, caller, entry?.snapshot)
    const ageMs = startedAt - (entry?.loadedAt ?? -Infinity) // below 0 if the clock was set back
    if (entry && !hasChanged && ageMs >= 0 && ageMs < maxAgeMs) return entry.page
    const page = await load()
    if (page?.owner === undefined) remove(key)
    else add(key, { page, owner: page.owner, snapshot, loadedAt: startedAt })
    return page
  }

  return { get: (request, load) => share(request.url, () => getCurrentPage(request, load)) }
}

/** Reads the current snapshot of the database, and whether the caller's owner has written anything since an earlier one. */
async function readChangesSince(
  database: Database,
  caller: Caller,
  earlier: string | undefined,
): Promise<{ snapshot: string; hasChanged: boolean }> {
  const [row] = await database.read(caller, () =>
    sql<{ snapshot: string; has_changed: boolean }>('select snapshot, has_changed from app.read_changes_since($1)', [earlier ?? null]),
  )
  return { snapshot: row?.snapshot ?? '', hasChanged: row?.has_changed ?? true }
}

type Run<T> = { running: Promise<T>; next?: Promise<T> }

/**
 * Returns a function that runs work. Calls with the same key that arrive while their work runs wait for its end, and then share one run. So
 * the work of each call begins after the call.
 */
function createSharedRuns<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const runs = new Map<string, Run<T>>()
  const start = (key: string, work: () => Promise<T>): Promise<T> => {
    const run: Run<T> = { running: work() }
    runs.set(key, run)
    const end = (): void => {
      if (!run.next) runs.delete(key)
    }
    run.running.then(end, end)
    return run.running
  }
  return (key, work) => {
    const run = runs.get(key)
    if (!run) return start(key, work)
    const begin = (): Promise<T> => start(key, work)
    return (run.next ??= run.running.then(begin, begin))
  }
}

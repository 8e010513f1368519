import { ChangeEvent, eventRoutes } from '#contract/events.ts'
import { waitForWrites } from './client.ts'
import { findResponseTime } from './ownChanges.ts'
import { everyTable, queries, showsAnyTable, wasRequestedSince } from './queries.ts'
import { mayBeSignedIn } from './session.ts'
import { createTabChannel } from './tabChannel.ts'

const lock = 'foyer-events'
const collectMs = 200
const minPauseMs = 500
/** The maximum time that an event waits for running writes, because it may arrive before the response to the write that caused it. */
const maxHoldMs = 2000
const reconnectMs = 15_000
/** Tables that have changed. `change` is missing when it is unknown what changed them. */
type Message = { change?: string; tables: string[] }

const tabs = createTabChannel<Message>(lock)

/**
 * Refetches the shown queries when their tables change, while a user is signed in. One tab opens the event stream and forwards its events
 * to the other tabs, because browsers limit the connections per server. Returns a function that stops it.
 */
export function listenForChanges(): () => void {
  const stop = new AbortController()
  const scheduleRefresh = createRefresher()
  const forward = (message: Message): void => {
    scheduleRefresh(message)
    tabs.send(message)
  }
  const unsubscribe = tabs.subscribe(scheduleRefresh)
  const hold = (): Promise<void> => holdStream(forward, stop.signal)
  // the Web Locks API is missing on plain http; then every tab opens a stream
  const lockRequest = navigator.locks ? navigator.locks.request(lock, { signal: stop.signal }, hold) : hold()
  lockRequest.catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })
  return () => {
    stop.abort()
    unsubscribe()
  }
}

/** Keeps the stream open until the signal is aborted. */
function holdStream(forward: (message: Message) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || typeof EventSource === 'undefined') return resolve()
    let source = mayBeSignedIn() ? openStream(forward) : undefined // during sign-out the lock passes to other tabs, which sign out too
    // an EventSource reconnects after a lost connection, but not after an error response
    const timer = setInterval(() => {
      const isOpen = source !== undefined && source.readyState !== EventSource.CLOSED
      if (!isOpen && mayBeSignedIn()) source = openStream(forward)
    }, reconnectMs)
    signal.addEventListener('abort', () => {
      clearInterval(timer)
      source?.close()
      resolve()
    })
  })
}

/** Opens the stream. Every table counts as changed then, because the stream does not contain earlier events. */
function openStream(forward: (message: Message) => void): EventSource {
  const source = new EventSource(eventRoutes.events.path)
  source.addEventListener('open', () => forward({ tables: [everyTable] }))
  source.addEventListener('message', ({ data }: MessageEvent<string>) => forward(ChangeEvent.parse(JSON.parse(data))))
  return source
}

/** Returns a throttled refresh: it collects messages and refetches at most twice a second. */
function createRefresher(): (message: Message) => void {
  let pending: Message[] = []
  let lastRefresh = -Infinity
  const refreshPending = async (): Promise<void> => {
    if (pending.some(isForeign)) await Promise.race([waitForWrites(), new Promise((resolve) => setTimeout(resolve, maxHoldMs))])
    const messages = pending
    pending = []
    lastRefresh = performance.now()
    await refresh(messages)
  }
  return (message) => {
    if (pending.length === 0) setTimeout(refreshPending, Math.max(collectMs, lastRefresh + minPauseMs - performance.now()))
    pending.push(message)
  }
}

/** Refetches the queries of the changed tables. After a change of this tab, queries that were refetched after its response are skipped. */
function refresh(messages: Message[]): Promise<void> {
  const foreignTables = messages.filter(isForeign).flatMap(({ tables }) => tables)
  const ownChanges = messages.flatMap(({ change = '', tables }) => {
    const responseTime = findResponseTime(change)
    return responseTime === undefined ? [] : [{ tables, responseTime }]
  })
  return queries.invalidateQueries({
    predicate: (query) =>
      (foreignTables.length > 0 && showsAnyTable(foreignTables)(query)) ||
      ownChanges.some(({ tables, responseTime }) => showsAnyTable(tables)(query) && !wasRequestedSince(query, responseTime)),
  })
}

const isForeign = ({ change }: Message): boolean => change === undefined || findResponseTime(change) === undefined

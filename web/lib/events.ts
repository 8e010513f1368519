import { ChangeEvent, eventRoutes } from '#contract/events.ts'
import { waitForWrites } from './client.ts'
import { dropFirstResponses } from './firstResponses.ts'
import { findResponseTime } from './ownChanges.ts'
import { everyTable, queries, showsAnyTable, wasRequestedSince } from './queries.ts'
import { mayBeSignedIn } from './session.ts'
import { createStore } from './store.ts'
import { createTabChannel } from './tabChannel.ts'

/** The name of a lock and of a channel. The tab that has the lock opens the event stream. The tabs send messages through the channel. */
const lockName = 'foyer-events'
/** The minimum time between an event and the refetch of the queries. Events in this time share one refetch. */
const collectMs = 200
/** The minimum time between two refetches. */
const minPauseMs = 1000
/**
 * The maximum time for which an event waits for running writes. The event may belong to one of these writes, which is known only after the
 * response to the write.
 */
const maxWaitForWritesMs = 2000
const reconnectMs = 15_000
/** The tables that have changed, and the id of the change. The id is missing when the stream has opened and may have missed changes. */
type Message = { change?: string; tables: string[]; isStreamLost?: boolean }

/** True from the loss of the event stream until it is open again. */
export const isStreamLost = createStore(false)

const tabs = createTabChannel<Message>(lockName)

/**
 * Refetches the shown queries when their tables change, while a user is signed in. One tab opens the event stream and forwards its events
 * to the other tabs, because browsers limit the connections per server. Returns a function that stops listening.
 */
export function listenForChanges(): () => void {
  const stop = new AbortController()
  const scheduleRefresh = createRefresher()
  const receive = (message: Message): void => {
    if (message.isStreamLost !== undefined) isStreamLost.set(message.isStreamLost)
    if (message.tables.length > 0) scheduleRefresh(message)
  }
  const forward = (message: Message): void => {
    receive(message)
    tabs.send(message)
  }
  const unsubscribe = tabs.subscribe(receive)
  const keepOpen = (): Promise<void> => keepStreamOpen(forward, stop.signal)
  void isOpenElsewhere().then((isElsewhere) => {
    // the document has the first responses, and the changes since then were announced only to the other tabs
    if (isElsewhere && !stop.signal.aborted) receive({ tables: [everyTable] })
  })
  // browsers have no Web Locks API on plain http; then every tab opens a stream
  const lockRequest = navigator.locks ? navigator.locks.request(lockName, { signal: stop.signal }, keepOpen) : keepOpen()
  lockRequest.catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })
  return () => {
    stop.abort()
    unsubscribe()
  }
}

/** Returns true if another tab has the stream. Must be called before this tab requests the lock. */
async function isOpenElsewhere(): Promise<boolean> {
  const locks = await navigator.locks?.query()
  return locks?.held?.some(({ name }) => name === lockName) ?? false
}

/** Keeps the stream open until the signal is aborted. The returned promise keeps the lock until then. */
function keepStreamOpen(forward: (message: Message) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || typeof EventSource === 'undefined') return resolve()
    // this tab may get the lock after the user has signed out in the tab that had it
    let source = mayBeSignedIn() ? openStream(forward) : undefined
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

/** Opens the stream. When it is open, every table counts as changed, because the stream does not contain earlier events. */
function openStream(forward: (message: Message) => void): EventSource {
  const source = new EventSource(eventRoutes.events.path)
  source.addEventListener('open', () => {
    dropFirstResponses()
    forward({ tables: [everyTable], isStreamLost: false })
  })
  source.addEventListener('error', () => forward({ tables: [], isStreamLost: true }))
  source.addEventListener('message', ({ data }: MessageEvent<string>) => forward(ChangeEvent.parse(JSON.parse(data))))
  return source
}

/** Returns a function that collects messages and refetches at most once a second. */
function createRefresher(): (message: Message) => void {
  let pending: Message[] = []
  let lastRefresh = -Infinity
  const refreshPending = async (): Promise<void> => {
    const isOwn = pending.every(isOwnChange)
    if (!isOwn) await Promise.race([waitForWrites(), new Promise((resolve) => setTimeout(resolve, maxWaitForWritesMs))])
    const messages = pending
    pending = []
    dropFirstResponses()
    lastRefresh = performance.now()
    if (mayBeSignedIn()) await refresh(messages) // else the user has just signed out, and the server would refuse the requests
  }
  return (message) => {
    if (pending.length === 0) setTimeout(refreshPending, Math.max(collectMs, lastRefresh + minPauseMs - performance.now()))
    pending.push(message)
  }
}

/**
 * Refetches the queries of the changed tables. A query is skipped when this tab made the change and has already requested the query after
 * the response to the change.
 */
function refresh(messages: Message[]): Promise<void> {
  const tablesOfOtherChanges = messages.filter((message) => !isOwnChange(message)).flatMap(({ tables }) => tables)
  const ownChanges = messages.flatMap(({ change: changeId = '', tables }) => {
    const responseTime = findResponseTime(changeId)
    return responseTime === undefined ? [] : [{ tables, responseTime }]
  })
  return queries.invalidateQueries({
    predicate: (query) =>
      (tablesOfOtherChanges.length > 0 && showsAnyTable(tablesOfOtherChanges)(query)) ||
      ownChanges.some(({ tables, responseTime }) => showsAnyTable(tables)(query) && !wasRequestedSince(query, responseTime)),
  })
}

/** Returns true when this tab made the change and has received the response to it. */
const isOwnChange = ({ change: changeId }: Message): boolean => changeId !== undefined && findResponseTime(changeId) !== undefined

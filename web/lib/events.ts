import { ChangeEvent, eventRoutes } from '#contract/events.ts'
import { writesAnswered } from './client.ts'
import { ownChangeAnsweredAt } from './ownChanges.ts'
import { anyTable, queries, showsAny, wasRequestedSince } from './queries.ts'
import { mayBeSignedIn } from './session.ts'
import { createTabChannel } from './tabChannel.ts'

const lock = 'foyer-events'
const collectMs = 200
const minPauseMs = 500
/** An event may arrive before the answer of the write that caused it: so long it waits for writes under way. */
const maxHoldMs = 2000
const reconnectMs = 15_000
/** A change event; without a change, tables that may have changed. */
type Message = { change?: string; tables: string[] }

const tabs = createTabChannel<Message>(lock)

/**
 * Refreshes open screens when something changes, while somebody is signed in. One tab of the browser holds the stream and forwards its
 * events to the others, because a browser opens few connections to one server. Returns a function that stops it.
 */
export function listenForChanges(): () => void {
  const stop = new AbortController()
  const collect = createRefresher()
  const forward = (message: Message): void => {
    collect(message)
    tabs.send(message)
  }
  const unsubscribe = tabs.subscribe(collect)
  const lead = (): Promise<void> => holdStream(forward, stop.signal)
  // without locks (plain http in a local network) every tab has a stream of its own
  const leading = navigator.locks ? navigator.locks.request(lock, { signal: stop.signal }, lead) : lead()
  leading.catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })
  return () => {
    stop.abort()
    unsubscribe()
  }
}

/** Reads the stream until the signal is aborted. */
function holdStream(forward: (message: Message) => void, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted || typeof EventSource === 'undefined') return done()
    let source = mayBeSignedIn() ? openStream(forward) : undefined // while signing out, the lock passes to tabs that sign out too
    // a browser reconnects by itself after a lost connection, but not after an answer that is no stream
    const watch = setInterval(() => {
      const isOpen = source !== undefined && source.readyState !== EventSource.CLOSED
      if (!isOpen && mayBeSignedIn()) source = openStream(forward)
    }, reconnectMs)
    signal.addEventListener('abort', () => {
      clearInterval(watch)
      source?.close()
      done()
    })
  })
}

/** When the stream opens everything may have changed: it carries no events from before. */
function openStream(forward: (message: Message) => void): EventSource {
  const source = new EventSource(eventRoutes.events.path)
  source.addEventListener('open', () => forward({ tables: [anyTable] }))
  source.addEventListener('message', ({ data }: MessageEvent<string>) => forward(ChangeEvent.parse(JSON.parse(data))))
  return source
}

/** Returns a function that collects messages and refreshes once for a burst of them, at most twice a second. */
function createRefresher(): (message: Message) => void {
  let collected: Message[] = []
  let lastRefresh = -Infinity
  const refreshCollected = async (): Promise<void> => {
    if (collected.some(isForeign)) await Promise.race([writesAnswered(), new Promise((done) => setTimeout(done, maxHoldMs))])
    const messages = collected
    collected = []
    lastRefresh = performance.now()
    await refresh(messages)
  }
  return (message) => {
    if (collected.length === 0) setTimeout(refreshCollected, Math.max(collectMs, lastRefresh + minPauseMs - performance.now()))
    collected.push(message)
  }
}

/** Changes of this tab refresh only what was requested before their answer: the screens that wrote them have requested the rest again. */
function refresh(messages: Message[]): Promise<void> {
  const foreignTables = messages.filter(isForeign).flatMap(({ tables }) => tables)
  const own = messages.flatMap(({ change = '', tables }) => {
    const answeredAt = ownChangeAnsweredAt(change)
    return answeredAt === undefined ? [] : [{ tables, answeredAt }]
  })
  return queries.invalidateQueries({
    predicate: (query) =>
      (foreignTables.length > 0 && showsAny(foreignTables)(query)) ||
      own.some(({ tables, answeredAt }) => showsAny(tables)(query) && !wasRequestedSince(query, answeredAt)),
  })
}

const isForeign = ({ change }: Message): boolean => change === undefined || ownChangeAnsweredAt(change) === undefined

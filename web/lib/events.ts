import { ChangeEvent, eventRoutes } from '#contract/events.ts'
import { anyTable, refreshTables } from './queries.ts'
import { mayBeSignedIn } from './session.ts'
import { createTabChannel } from './tabChannel.ts'

const lock = 'foyer-events'
const gatherMs = 200
const comeBackMs = 15_000
const tabs = createTabChannel<string[]>(lock)

/**
 * Keeps open screens fresh while somebody is signed in. One tab of the browser holds the stream and passes on what it hears,
 * because a browser opens few connections to one server. Returns what stops it.
 */
export function listenForChanges(): () => void {
  const stop = new AbortController()
  const tell = (tables: string[]): void => {
    refresh(tables)
    tabs.send(tables)
  }
  const deafen = tabs.subscribe(refresh)
  const lead = (): Promise<void> => holdStream(tell, stop.signal)
  // without locks (plain http in a local network) every tab has a stream of its own
  const leading = navigator.locks ? navigator.locks.request(lock, { signal: stop.signal }, lead) : lead()
  leading.catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })
  return () => {
    stop.abort()
    deafen()
  }
}

/** Reads the stream until it is told to stop. */
function holdStream(tell: (tables: string[]) => void, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted || typeof EventSource === 'undefined') return done()
    let source = mayBeSignedIn() ? openStream(tell) : undefined // a tab that leaves passes the lock to one that leaves too
    // a browser comes back by itself after a lost connection, but not after an answer that is no stream
    const watch = setInterval(() => {
      const isOpen = source !== undefined && source.readyState !== EventSource.CLOSED
      if (!isOpen && mayBeSignedIn()) source = openStream(tell)
    }, comeBackMs)
    signal.addEventListener('abort', () => {
      clearInterval(watch)
      source?.close()
      done()
    })
  })
}

/** Whenever the stream opens everything may have changed: it tells nothing of what happened before. */
function openStream(tell: (tables: string[]) => void): EventSource {
  const source = new EventSource(eventRoutes.events.path)
  source.addEventListener('open', () => tell([anyTable]))
  source.addEventListener('message', ({ data }: MessageEvent<string>) => {
    tell(Object.keys(ChangeEvent.parse(JSON.parse(data)).tables))
  })
  return source
}

let gathered = new Set<string>()

/** A burst of changes refreshes a screen once. */
function refresh(tables: readonly string[]): void {
  if (gathered.size === 0) setTimeout(flush, gatherMs)
  for (const table of tables) gathered.add(table)
}

function flush(): void {
  const tables = [...gathered]
  gathered = new Set()
  void refreshTables(tables)
}

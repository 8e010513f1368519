import { ChangeEvent, eventRoutes } from '#contract/events.ts'
import { anyTable, refreshTables } from './queries.ts'
import { mayBeSignedIn } from './session.ts'
import { createTabChannel } from './tabChannel.ts'

const lock = 'foyer-events'
const collectMs = 200
const reconnectMs = 15_000
const tabs = createTabChannel<string[]>(lock)

/**
 * Refreshes open screens when something changes, while somebody is signed in. One tab of the browser holds the stream and forwards its
 * events to the others, because a browser opens few connections to one server. Returns a function that stops it.
 */
export function listenForChanges(): () => void {
  const stop = new AbortController()
  const forward = (tables: string[]): void => {
    refresh(tables)
    tabs.send(tables)
  }
  const unsubscribe = tabs.subscribe(refresh)
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
function holdStream(forward: (tables: string[]) => void, signal: AbortSignal): Promise<void> {
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
function openStream(forward: (tables: string[]) => void): EventSource {
  const source = new EventSource(eventRoutes.events.path)
  source.addEventListener('open', () => forward([anyTable]))
  source.addEventListener('message', ({ data }: MessageEvent<string>) => {
    forward(Object.keys(ChangeEvent.parse(JSON.parse(data)).tables))
  })
  return source
}

let collected = new Set<string>()

/** Refreshes once for a burst of changes. */
function refresh(tables: readonly string[]): void {
  if (collected.size === 0) setTimeout(flush, collectMs)
  for (const table of tables) collected.add(table)
}

function flush(): void {
  const tables = [...collected]
  collected = new Set()
  void refreshTables(tables)
}

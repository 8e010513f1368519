import { isStreamLost } from '#web/lib/events.ts'
import { everyTable, refreshTables } from '#web/lib/queries.ts'
import { createStore } from '#web/lib/store.ts'
import { isServerReachable } from '../ErrorPages.tsx'

/** True while the browser is offline or the server cannot be reached. */
export const isOffline = createStore(false)

/** The time after which a lost event stream counts as a lost connection. A browser opens a lost stream again within this time. */
const graceMs = 4000
/** The time between two checks whether the server can be reached again. */
const checkMs = 5000

/**
 * Watches the connection by the events of the browser and by the event stream. When the connection is back, everything that is shown is
 * fetched again. Returns a function that stops watching.
 */
export function watchConnection(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const checkIn = (delayMs: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void check(), delayMs)
  }
  const setOffline = (isNowOffline: boolean): void => {
    clearTimeout(timer)
    if (isNowOffline) checkIn(checkMs)
    if (isNowOffline === isOffline.get()) return
    isOffline.set(isNowOffline)
    if (!isNowOffline) void refreshTables([everyTable])
  }
  const check = async (): Promise<void> => setOffline(!navigator.onLine || !(await isServerReachable()))
  const onOffline = (): void => setOffline(true)
  const onOnline = (): void => void check()
  const unsubscribe = isStreamLost.subscribe(() => {
    if (!isStreamLost.get()) setOffline(false)
    else if (!isOffline.get()) checkIn(graceMs)
  })
  if (!navigator.onLine) setOffline(true)
  window.addEventListener('offline', onOffline)
  window.addEventListener('online', onOnline)
  return () => {
    clearTimeout(timer)
    unsubscribe()
    isOffline.set(false)
    window.removeEventListener('offline', onOffline)
    window.removeEventListener('online', onOnline)
  }
}

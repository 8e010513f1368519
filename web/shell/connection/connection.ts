import { isStreamLost } from '#web/lib/events.ts'
import { everyTable, refreshTables } from '#web/lib/queries.ts'
import { createStore } from '#web/lib/store.ts'
import { isServerReachable } from './isServerReachable.ts'

/** True while the browser is offline or the server cannot be reached. */
export const isOffline = createStore(false)

/** The time after which the loss of the event stream (live updates) starts a check. Browsers open a lost stream again within this time. */
const firstCheckDelayMs = 4000
/** The time between two checks while the browser is offline, the server cannot be reached or the event stream is lost. */
const checkIntervalMs = 5000

/**
 * Watches the connection by the events of the browser and by the event stream. When the connection is back, everything that is shown is
 * fetched again. Returns a function that stops watching.
 */
export function watchConnection(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The number of the latest check or event. A check that ends after a later check or event is out of date. */
  let latest = 0
  const checkIn = (delayMs: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void check(), delayMs)
  }
  const setOffline = (isNowOffline: boolean): void => {
    latest += 1
    clearTimeout(timer)
    if (isNowOffline || isStreamLost.get()) checkIn(checkIntervalMs)
    if (isNowOffline === isOffline.get()) return
    isOffline.set(isNowOffline)
    if (!isNowOffline) void refreshTables([everyTable])
  }
  const check = async (): Promise<void> => {
    latest += 1
    const checkNumber = latest
    const isNowOffline = !navigator.onLine || !(await isServerReachable())
    if (checkNumber === latest) setOffline(isNowOffline)
  }
  const onOffline = (): void => setOffline(true)
  const onOnline = (): void => void check()
  const onStreamChange = (): void => {
    if (!isStreamLost.get()) setOffline(false)
    else if (!isOffline.get()) checkIn(firstCheckDelayMs)
  }
  const unsubscribe = isStreamLost.subscribe(onStreamChange)
  if (!navigator.onLine) setOffline(true)
  else if (isStreamLost.get()) checkIn(firstCheckDelayMs)
  window.addEventListener('offline', onOffline)
  window.addEventListener('online', onOnline)
  return () => {
    latest += 1
    clearTimeout(timer)
    unsubscribe()
    isOffline.set(false)
    window.removeEventListener('offline', onOffline)
    window.removeEventListener('online', onOnline)
  }
}

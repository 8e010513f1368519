import { useEffect } from 'react'
import { createStore } from '#web/lib/store.ts'

/** The ids of the visible list, in its order. A panel over the list uses them to open the previous and next record. */
export const shownRecords = createStore<readonly string[]>([])

/** Publishes the records of a list while it is visible. */
export function useShownRecords(rows: readonly { id: string }[]): void {
  useEffect(() => shownRecords.set(rows.map(({ id }) => id)), [rows])
  useEffect(() => () => shownRecords.set([]), [])
}

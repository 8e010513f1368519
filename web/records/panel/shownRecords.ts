import { useEffect } from 'react'
import { createStore } from '#web/lib/store.ts'

/** The ids of the list that is shown, in its order. A panel over the list steps through them. */
export const shownRecords = createStore<readonly string[]>([])

/** Says which records a list shows. */
export function useShownRecords(rows: readonly { id: string }[]): void {
  useEffect(() => shownRecords.set(rows.map(({ id }) => id)), [rows])
  useEffect(() => () => shownRecords.set([]), [])
}

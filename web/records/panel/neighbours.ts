import { useEffect } from 'react'
import { createStore } from '#web/lib/store.ts'

/** The records of the list that is shown, in its order: a panel leads from its own to the ones beside it. */
export const shownRecords = createStore<readonly string[]>([])

/** Says which records a list shows. */
export function useShownRecords(rows: readonly { id: string }[]): void {
  useEffect(() => shownRecords.set(rows.map(({ id }) => id)), [rows])
  useEffect(() => () => shownRecords.set([]), [])
}

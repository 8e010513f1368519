import { useEffect } from 'react'
import { createStore } from '#web/lib/store.ts'

/** The ids of the records in the visible list, in its order. A panel over the list uses them to open the previous and next record. */
export const visibleRecordIds = createStore<readonly string[]>([])

/** Stores the ids of the records of a list in `visibleRecordIds` while the list is visible. */
export function usePublishVisibleRecords(rows: readonly { id: string }[]): void {
  useEffect(() => visibleRecordIds.set(rows.map(({ id }) => id)), [rows])
  useEffect(() => () => visibleRecordIds.set([]), [])
}

import { useEffect } from 'react'
import * as z from 'zod/mini'
import type { KindName } from '#contract/kinds.ts'
import { Hit } from '#contract/search.ts'
import { readFromTab, storeInTab } from './tabMemory.ts'

const storageName = 'recent records'
const maxRecords = 6

/** Returns the records that were recently opened in this tab, newest first. Signing out removes them. */
export const readRecentRecords = (): Hit[] => readFromTab(storageName, z.array(Hit)) ?? []

/** Adds a record to the recently opened ones when it is loaded. `detail` distinguishes records with the same title. */
export function useRecentRecord(kind: KindName, record: Pick<Hit, 'id' | 'title' | 'detail'> | undefined): void {
  const { id, title, detail } = record ?? {}
  useEffect(() => {
    if (id === undefined || title === undefined || detail === undefined) return
    const others = readRecentRecords().filter((each) => each.id !== id)
    // only records that are shown on the page of another record have a parent
    const opened: Hit = { kind, id, title, detail, parent: null }
    storeInTab(storageName, [opened, ...others].slice(0, maxRecords))
  }, [kind, id, title, detail])
}

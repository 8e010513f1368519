import { useEffect } from 'react'
import * as z from 'zod/mini'
import type { KindName } from '#contract/kinds.ts'
import { Hit } from '#contract/search.ts'
import { findInTab, keepInTab } from './tabMemory.ts'

const memory = 'visits'
const mostKept = 6

/** The records that were open in this tab, the last one first. They hold names, so signing out forgets them. */
export const visits = (): Hit[] => findInTab(memory, z.array(Hit)) ?? []

/** Notes that a record is open, as soon as it is known. `detail` tells it from others of its name. */
export function useVisit(kind: KindName, record: Pick<Hit, 'id' | 'title' | 'detail'> | undefined): void {
  const { id, title, detail } = record ?? {}
  useEffect(() => {
    if (id === undefined || title === undefined || detail === undefined) return
    const others = visits().filter((visit) => visit.id !== id)
    keepInTab(memory, [{ kind, id, title, detail, on: null }, ...others].slice(0, mostKept))
  }, [kind, id, title, detail])
}

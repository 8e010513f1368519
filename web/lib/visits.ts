import { useEffect } from 'react'
import * as z from 'zod/mini'
import type { KindName } from '#contract/kinds.ts'
import { Hit } from '#contract/search.ts'
import { findInTab, keepInTab } from './tabMemory.ts'

const memory = 'visits'
const maxVisits = 6

/** The records that were recently opened in this tab, the latest first. Signing out removes them. */
export const visits = (): Hit[] => findInTab(memory, z.array(Hit)) ?? []

/** Adds a record to the visits as soon as it is loaded. `detail` distinguishes records with the same title. */
export function useVisit(kind: KindName, record: Pick<Hit, 'id' | 'title' | 'detail'> | undefined): void {
  const { id, title, detail } = record ?? {}
  useEffect(() => {
    if (id === undefined || title === undefined || detail === undefined) return
    const others = visits().filter((visit) => visit.id !== id)
    keepInTab(memory, [{ kind, id, title, detail, on: null }, ...others].slice(0, maxVisits))
  }, [kind, id, title, detail])
}

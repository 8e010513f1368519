import { useEffect, useEffectEvent } from 'react'
import { findDialog, getTextField } from '#web/lib/waitingKeys.ts'
import type { Cursor } from '#web/ui/cursor.ts'
import type { Entry } from '../kind/entries.ts'

type RevealOptions = {
  /** The id of the entry to show; undefined for none. */
  id: string | undefined
  entries: readonly Entry[]
  cursor: Cursor
  folders: { isFetching: boolean; hasMore: boolean; loadMore: () => void }
  /** Called when the entry is shown, or when the list does not contain it. */
  onEnd: () => void
}

/**
 * Focuses an entry and scrolls it into view, unless the user types into a field or a dialog is open. Loads more folders until the list
 * contains the entry: folders are sorted by name, so a new folder may be on a later page.
 */
export function useReveal({ id, entries, cursor, folders, onEnd }: RevealOptions): void {
  const { isFetching, hasMore } = folders
  const show = useEffectEvent((shownId: string) => {
    const index = entries.findIndex((entry) => entry.id === shownId)
    if (index < 0 && hasMore) return folders.loadMore()
    if (index >= 0 && !findDialog() && !getTextField(document.activeElement)) cursor.move(index)
    onEnd()
  })
  useEffect(() => {
    if (id !== undefined && !isFetching) show(id)
  }, [id, isFetching])
}

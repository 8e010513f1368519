import { useQuery } from '@tanstack/react-query'
import { selectionLimits, type Matching } from '#contract/fileSelection.ts'
import type { Selection } from '#web/ui/selection.ts'
import type { Entry } from '../kind/entries.ts'
import { selectionCountQuery } from '../kind/queries.ts'
import type { Everything, Selected } from '../kind/selected.ts'

/** Everything that a list shows, as a request selects it. */
export type ListMatching = { matching: Matching }

type Options = {
  view: ListMatching & { list: { hasNextPage: boolean }; folders: { hasMore: boolean } }
  entries: readonly Entry[]
  selection: Selection
}

/**
 * Returns what is selected: loaded entries, or everything in the list. When every loaded entry is selected and the list has more, `unloaded`
 * is everything that can be selected instead. Its numbers are loaded then.
 */
export function useSelected({ view, entries, selection }: Options): { selected: Selected; unloaded: Everything | undefined } {
  const { ids, isEveryLoadedRowSelected, isEveryMatchSelected } = selection
  const hasMore = view.list.hasNextPage || view.folders.hasMore || entries.length > selectionLimits.ids
  const canSelectMore = isEveryLoadedRowSelected && hasMore
  const { data: count } = useQuery({ ...selectionCountQuery(view.matching), enabled: canSelectMore || isEveryMatchSelected })
  const everything = count && { matching: view.matching, folderCount: count.folder_count, fileCount: count.file_count }
  const selected = { entries: entries.filter(({ id }) => ids.has(id)), everything: isEveryMatchSelected ? everything : undefined }
  return { selected, unloaded: canSelectMore && !isEveryMatchSelected ? everything : undefined }
}

import { useQuery } from '@tanstack/react-query'
import { selectionLimits, type Matching } from '#contract/fileSelection.ts'
import type { Selection } from '#web/ui/selection.ts'
import type { Entry } from '../kind/entries.ts'
import { selectionCountQuery } from '../kind/queries.ts'
import type { Everything, Selected } from '../kind/selected.ts'

/** `matching` is how a request selects everything that the list shows: the conditions of the list instead of ids. */
export type SelectableList = { matching: Matching }

type Options = {
  view: SelectableList & { list: { hasNextPage: boolean }; folders: { hasMore: boolean } }
  entries: readonly Entry[]
  selection: Selection
}

/**
 * Returns what is selected: loaded entries, or everything in the list. `everythingToSelect` is what "Select all" selects: everything in the
 * list. It is defined only if all loaded entries are selected, the list has more, and the server has counted everything.
 */
export function useSelected({ view, entries, selection }: Options): { selected: Selected; everythingToSelect: Everything | undefined } {
  const { ids, isEveryLoadedRowSelected, isEveryMatchSelected } = selection
  // a request can name at most `selectionLimits.ids` entries by their ids, so more entries are selected by the conditions of the list
  const hasMore = view.list.hasNextPage || view.folders.hasMore || entries.length > selectionLimits.ids
  const canSelectMore = isEveryLoadedRowSelected && hasMore
  const { data: count } = useQuery({ ...selectionCountQuery(view.matching), enabled: canSelectMore || isEveryMatchSelected })
  const everything = count && { matching: view.matching, folderCount: count.folder_count, fileCount: count.file_count }
  const selected = { entries: entries.filter(({ id }) => ids.has(id)), everything: isEveryMatchSelected ? everything : undefined }
  return { selected, everythingToSelect: canSelectMore && !isEveryMatchSelected ? everything : undefined }
}

import { selectionLimits } from '#contract/fileSelection.ts'
import { capitalise, formatCount } from '#web/lib/format.ts'
import { splitByKind } from '../kind/entries.ts'
import type { Selected } from '../kind/selected.ts'

/** Describes folders and files for a title: "File", "3 files", "1 folder and 2 files". */
export function describeEntries(selected: Selected): string {
  const { entries, everything } = selected
  const [first] = entries
  if (first && entries.length === 1 && !everything) return capitalise(first.kind)
  return formatEntryCounts(selected)
}

/** Formats the numbers of selected folders and files: "1 file", "2 folders and 3 files". */
export function formatEntryCounts({ entries, everything }: Selected): string {
  const { folderIds, fileIds } = splitByKind(entries)
  return formatCounts({ folderCount: everything?.folderCount ?? folderIds.length, fileCount: everything?.fileCount ?? fileIds.length })
}

/** Formats numbers of folders and files: "2 folders and 3 files". A number above the limit of a selection is "more than 20,000 files". */
export function formatCounts({ folderCount, fileCount }: { folderCount: number; fileCount: number }): string {
  const parts = [formatUpToLimit(folderCount, 'folder'), formatUpToLimit(fileCount, 'file')]
  return parts.filter((part) => part !== '').join(' and ')
}

function formatUpToLimit(count: number, noun: string): string {
  if (count > selectionLimits.matching) return `more than ${formatCount(selectionLimits.matching, noun)}`
  return count === 0 ? '' : formatCount(count, noun)
}

import { selectionLimits, type FileSelection, type Matching } from '#contract/fileSelection.ts'
import { splitByKind, type Entry } from './entries.ts'

/** All folders and files of a list, including those that are not loaded. `matching` is the filter that finds them on the server. */
export type Everything = { matching: Matching; folderCount: number; fileCount: number }

/**
 * What a command such as Move applies to: without `everything`, the `entries`; with `everything`, all folders and files of the list, of
 * which `entries` contains those that are loaded.
 */
export type Selected = { entries: readonly Entry[]; everything?: Everything | undefined }

/** Returns the selection as requests send it. */
export function toFileSelection({ entries, everything }: Selected): Partial<FileSelection> {
  if (everything) return { matching: everything.matching }
  const { folderIds, fileIds } = splitByKind(entries)
  return { folder_ids: folderIds, file_ids: fileIds }
}

export const countSelected = ({ entries, everything }: Selected): number =>
  everything ? everything.folderCount + everything.fileCount : entries.length

/** Returns whether there are more entries than one move or one deletion can apply to. */
export const hasTooManyEntries = ({ entries, everything }: Selected): boolean =>
  everything ? Math.max(everything.folderCount, everything.fileCount) > selectionLimits.matching : entries.length > selectionLimits.ids

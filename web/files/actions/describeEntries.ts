import { capitalise, formatCount } from '#web/lib/format.ts'
import { splitByKind, type Entry } from '../kind/entries.ts'

/** Describes folders and files for a title: "File", "3 files", "1 folder and 2 files". */
export function describeEntries(entries: readonly Entry[]): string {
  const [only] = entries
  if (only && entries.length === 1) return capitalise(only.kind)
  return countEntries(entries)
}

/** Counts folders and files: "1 file", "2 folders and 3 files". */
export function countEntries(entries: readonly Entry[]): string {
  const { folderIds, fileIds } = splitByKind(entries)
  const parts = [folderIds.length > 0 && formatCount(folderIds.length, 'folder'), fileIds.length > 0 && formatCount(fileIds.length, 'file')]
  return parts.filter(Boolean).join(' and ')
}

import type { RecentChange } from '#contract/changes.ts'
import { kindByTable } from '#web/lib/features.ts'

/** Where the record stands that was changed; undefined where it is gone, or has no place of its own. */
export function addressOf(change: RecentChange): string | undefined {
  return change.exists && change.id !== null ? kindByTable(change.table)?.addressOf({ id: change.id }) : undefined
}

/** Whether one record was changed, and not several: "Deleted 12 contacts", "Updated contacts". */
export function isAboutOne(change: RecentChange): boolean {
  const plural = kindByTable(change.table)?.plural
  return !/ ([2-9]|\d.*\d) /.test(change.label) && !(plural && change.label.endsWith(` ${plural}`))
}

/** What was done, inside a sentence: "updated contact", "undid: deleted deal". */
export function deedOf({ label, by }: RecentChange): string {
  const deed = uncapitalised(label.replace(/^(Undone|Redone): /, '').replace(/ 1 /, ' '))
  if (by === 'undo') return `undid: ${deed}`
  return by === 'redo' ? `redid: ${deed}` : deed
}

const uncapitalised = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1)

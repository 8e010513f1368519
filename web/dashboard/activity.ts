import type { RecentChange } from '#contract/changes.ts'

/** Where the records of a table stand. */
const places: Record<string, string> = {
  crm_contacts: '/crm/contacts',
  companies: '/crm/companies',
  deals: '/crm/deals',
  tasks: '/crm/tasks',
}

/** Where the record stands that was changed; undefined where it is gone, or has no place of its own. */
export function addressOf({ table, id, exists }: RecentChange): string | undefined {
  const place = places[table ?? '']
  return place && exists ? `${place}/${id}` : undefined
}

/** Whether one record was changed, and not several: "Deleted 12 contacts". */
export const isAboutOne = ({ label }: RecentChange): boolean => !/ ([2-9]|\d.*\d) /.test(label)

/** What was done, inside a sentence: "updated contact", "undid: deleted deal". */
export function deedOf({ label, by }: RecentChange): string {
  const deed = uncapitalised(label.replace(/^(Undone|Redone): /, '').replace(/ 1 /, ' '))
  if (by === 'undo') return `undid: ${deed}`
  return by === 'redo' ? `redid: ${deed}` : deed
}

const uncapitalised = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1)

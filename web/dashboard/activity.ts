import { IconBuilding, IconCheckbox, IconNote, IconTargetArrow, IconUsers } from '@tabler/icons-react'
import type { RecentChange } from '#contract/changes.ts'
import type { Icon } from '#web/lib/features.ts'

type Kind = {
  /** "contacts" */
  many: string
  icon: Icon
  /** Where its records stand; left out where they have no place of their own. */
  place?: string
  /** What tells its records from each other is a name: initials are a picture of them. */
  shape?: 'round' | 'square'
}

const kinds: Record<string, Kind> = {
  crm_contacts: { many: 'contacts', icon: IconUsers, place: '/crm/contacts', shape: 'round' },
  companies: { many: 'companies', icon: IconBuilding, place: '/crm/companies', shape: 'square' },
  deals: { many: 'deals', icon: IconTargetArrow, place: '/crm/deals' },
  tasks: { many: 'tasks', icon: IconCheckbox, place: '/crm/tasks' },
  notes: { many: 'notes', icon: IconNote },
}

/** Of what kind of record a change is. */
export const kindOf = ({ table }: RecentChange): Partial<Kind> => kinds[table ?? ''] ?? {}

/** Where the record stands that was changed; undefined where it is gone, or has no place of its own. */
export function addressOf(change: RecentChange): string | undefined {
  const { place } = kindOf(change)
  return place && change.exists ? `${place}/${change.id}` : undefined
}

/** Whether one record was changed, and not several: "Deleted 12 contacts", "Updated contacts". */
export function isAboutOne(change: RecentChange): boolean {
  const { many } = kindOf(change)
  return !/ ([2-9]|\d.*\d) /.test(change.label) && !(many && change.label.endsWith(` ${many}`))
}

/** What was done, inside a sentence: "updated contact", "undid: deleted deal". */
export function deedOf({ label, by }: RecentChange): string {
  const deed = uncapitalised(label.replace(/^(Undone|Redone): /, '').replace(/ 1 /, ' '))
  if (by === 'undo') return `undid: ${deed}`
  return by === 'redo' ? `redid: ${deed}` : deed
}

const uncapitalised = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1)

import { getToday } from '#web/lib/format.ts'
import { linkFields, parseLinks, parseText } from '#web/records/address/newRecord.ts'

type Prefilled = { contact?: string | undefined; deal?: string | undefined; title?: string | undefined }

/** Reads the search parameters of the form: the title and the linked records. */
export const parseNewTask = (search: Record<string, unknown>): Prefilled => ({
  ...parseLinks(search, ['contact', 'deal']),
  title: parseText(search['title']),
})

/** The prefilled fields of a new task. In the view of today it is due today. */
export const getPrefilledFields = ({ title, contact, deal, view }: Prefilled & { view?: string | undefined }): Record<string, string> => ({
  ...linkFields({ contact, deal }),
  ...(title && { title }),
  ...(view === 'today' && { due_date: getToday() }),
})

/** The address of the record that a new task is added to. */
export function getReturnAddress({ contact, deal }: Prefilled): string | undefined {
  if (deal) return `/crm/deals/${deal}`
  return contact && `/crm/contacts/${contact}?tab=tasks`
}

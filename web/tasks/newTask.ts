import { getToday } from '#web/lib/format.ts'
import { toLinkFields, parseLinks, parseText } from '#web/records/address/newRecord.ts'

type NewTaskSearch = { contact?: string | undefined; deal?: string | undefined; title?: string | undefined }

/** Parses the search parameters of the form: the title, and the ids of the linked contact and deal. */
export const parseNewTask = (search: Record<string, unknown>): NewTaskSearch => ({
  ...parseLinks(search, ['contact', 'deal']),
  title: parseText(search['title']),
})

/** Returns the prefilled fields of a new task. A task that is added in the view "Today" is due today. */
export const getPrefilledFields = ({
  title,
  contact,
  deal,
  view,
}: NewTaskSearch & { view?: string | undefined }): Record<string, string> => ({
  ...toLinkFields({ contact, deal }),
  ...(title && { title }),
  ...(view === 'today' && { due_date: getToday() }),
})

/** Returns the address of the contact or deal to which a new task is added. The dialog returns to this address. */
export function getReturnAddress({ contact, deal }: NewTaskSearch): string | undefined {
  if (deal) return `/crm/deals/${deal}`
  return contact && `/crm/contacts/${contact}?tab=tasks`
}

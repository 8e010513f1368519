import { getToday } from '#web/lib/format.ts'
import { toLinkFields, parseLinks, parseText } from '#web/records/address/newRecord.ts'

type NewTaskParameters = { contact?: string | undefined; deal?: string | undefined; title?: string | undefined }

/** Parses the URL parameters of the form: the title, and the ids of the linked contact and deal. */
export const parseNewTask = (parameters: Record<string, unknown>): NewTaskParameters => ({
  ...parseLinks(parameters, ['contact', 'deal']),
  title: parseText(parameters['title']),
})

/** Returns the prefilled fields of a new task. A task that is added in the tab Today, not to a contact or a deal, is due today. */
export const getPrefilledFields = ({
  title,
  contact,
  deal,
  view: tabName,
}: NewTaskParameters & { view?: string | undefined }): Record<string, string> => ({
  ...toLinkFields({ contact, deal }),
  ...(title && { title }),
  ...(tabName === 'today' && !contact && !deal && { due_date: getToday() }),
})

/** Returns the address of the contact or deal to which a new task is added. The dialog returns to this address. */
export function getReturnAddress({ contact, deal }: NewTaskParameters): string | undefined {
  if (deal) return `/crm/deals/${deal}`
  return contact && `/crm/contacts/${contact}?tab=tasks`
}

import { today } from '#web/lib/format.ts'
import { linkFields, PrefilledLinks, typedInAddress } from '#web/records/address/newRecord.ts'

type NewTaskAddress = Pick<PrefilledLinks, 'contact' | 'deal'> & { title?: string | undefined }

/** What the address of a new task says of it: a title as somebody typed it, what it belongs to. */
export function readNewTask({ title, ...links }: Record<string, unknown>): NewTaskAddress {
  const { contact, deal } = PrefilledLinks.parse(links)
  return { contact, deal, title: typedInAddress(title) }
}

/** The fields that a new task begins with: added in the view of today, it is due today. */
export const fieldsOf = ({ title, contact, deal, view }: NewTaskAddress & { view?: string | undefined }): Record<string, string> => ({
  ...linkFields({ contact, deal }),
  ...(title && { title }),
  ...(view === 'today' && { due_date: today() }),
})

/** Where the record stands that a new task is added to; undefined where it is added by itself. */
export function placeOf({ contact, deal }: NewTaskAddress): string | undefined {
  if (deal) return `/crm/deals/${deal}`
  return contact && `/crm/contacts/${contact}?tab=tasks`
}

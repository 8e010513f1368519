import { linkFields, PrefilledLinks, typedInAddress } from '#web/records/prefilled.ts'

type NewTaskAddress = Pick<PrefilledLinks, 'contact' | 'deal'> & { title?: string | undefined }

/** What the address of a new task says of it: a title as somebody typed it, what it belongs to. */
export function readNewTask({ title, ...links }: Record<string, unknown>): NewTaskAddress {
  const { contact, deal } = PrefilledLinks.parse(links)
  return { contact, deal, title: typedInAddress(title) }
}

/** The fields that a new task begins with. */
export const fieldsOf = ({ title, ...links }: NewTaskAddress): Record<string, string> => ({ ...linkFields(links), ...(title && { title }) })

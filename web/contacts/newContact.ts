import { readLinks, readText } from '#web/records/address/newRecord.ts'

type Prefilled = { company?: string | undefined; name?: string | undefined }

/** What the address of the form says of a new contact: a name, email or number as somebody typed it, and the company. */
export function readNewContact(search: Record<string, unknown>): Prefilled {
  const { company } = readLinks(search, ['company'])
  const typed = readText(search['name'])
  return { ...(typed && { name: typed }), ...(company && { company }) }
}

/** The fields that what somebody typed belongs into. The last word of a name is the last name. */
export function fieldsOfTyped(typed = ''): Record<string, string> {
  const text = typed.trim()
  if (text === '') return {}
  if (/^\S+@\S+$/.test(text)) return { email: text }
  if (/^[\d\s+()/.-]{5,}$/.test(text)) return { phone: text }
  const [, first = text, last = ''] = /^(.*)\s+(\S+)$/s.exec(text) ?? []
  return { first_name: first, ...(last && { last_name: last }) }
}

import { parseLinks, parseText } from '#web/records/address/newRecord.ts'

type NewContactSearch = { company?: string | undefined; name?: string | undefined }

/** Parses the search parameters of the form. `name`: a typed name, email address or phone number; `company`: the id of a company. */
export function parseNewContact(search: Record<string, unknown>): NewContactSearch {
  const { company } = parseLinks(search, ['company'])
  const name = parseText(search['name'])
  return { ...(name && { name }), ...(company && { company }) }
}

/** Converts a typed text to an email address, a phone number or a name. The last word of a name is the last name. */
export function parseFields(typed = ''): Record<string, string> {
  const text = typed.trim()
  if (text === '') return {}
  if (/^\S+@\S+$/.test(text)) return { email: text }
  if (/^[\d\s+()/.-]{5,}$/.test(text)) return { phone: text }
  const [, first = text, last = ''] = /^(.*)\s+(\S+)$/s.exec(text) ?? []
  return { first_name: first, ...(last && { last_name: last }) }
}

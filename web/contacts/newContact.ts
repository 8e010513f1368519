import { parseLinks, parseText } from '#web/records/address/newRecord.ts'

type NewContactParameters = { company?: string | undefined; name?: string | undefined }

/** Parses the URL parameters of the form. `name` is a name, an email address or a phone number; `company` is the id of a company. */
export function parseNewContact(parameters: Record<string, unknown>): NewContactParameters {
  const { company } = parseLinks(parameters, ['company'])
  const name = parseText(parameters['name'])
  return { ...(name && { name }), ...(company && { company }) }
}

/** Converts a typed text to an email address, a phone number or a name. The last word of a name is the last name. */
export function parseFields(typedText = ''): Record<string, string> {
  const text = typedText.trim()
  if (text === '') return {}
  const isEmail = /^\S+@\S+$/.test(text)
  const isPhoneNumber = /^[\d\s+()/.-]{5,}$/.test(text) // only digits, spaces and the signs in phone numbers, at least five of them
  if (isEmail) return { email: text }
  if (isPhoneNumber) return { phone: text }
  const words = text.split(/\s+/)
  if (words.length === 1) return { first_name: text }
  const lastName = words.at(-1) ?? ''
  return { first_name: text.slice(0, -lastName.length).trim(), last_name: lastName }
}

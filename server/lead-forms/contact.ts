import { randomBytes } from 'node:crypto'
import type { Answers, FormField } from '#contract/formFields.ts'
import { storeContacts, type ContactToStore } from '#server/contacts/contacts.ts'

/** Besides names, email and phone, these fields of a contact get the answers to form fields with the same name. */
const contactFields = [
  'mobile_phone',
  'company',
  'title',
  'department',
  'mailing_street',
  'mailing_city',
  'mailing_state',
  'mailing_postal_code',
  'mailing_country',
] as const

/**
 * Finds the contact of a submission by the duplicate rule, or adds it, in the open transaction. A contact that exists gets only the values that
 * it does not have. Returns null if the answers have neither a name nor an email nor a phone number that a contact may have.
 */
export async function storeContactOf(owner: string, fields: readonly FormField[], answers: Answers): Promise<string | null> {
  const contact = toContact(fields, answers)
  const store = async (stored: ContactToStore) => (await storeContacts(owner, [stored], 'fill'))[0]
  const result = await store(contact)
  // a value that is longer than a contact may have stays in the submission only
  const accepted = result?.status === 'refused' ? await store(withoutFields(contact, Object.keys(result.fields))) : result
  return accepted && 'id' in accepted ? accepted.id : null
}

/** Returns the answer to the first field of a type; empty without one. */
export function firstAnswer(fields: readonly FormField[], answers: Answers, type: 'email' | 'tel'): string {
  const field = fields.find(({ field_type, field_name }) => field_type === type && answers[field_name] !== undefined)
  const answer = field && answers[field.field_name]
  return typeof answer === 'string' ? answer : ''
}

function toContact(fields: readonly FormField[], answers: Answers): ContactToStore {
  const text = (name: string): string => {
    const answer = answers[name]
    return typeof answer === 'string' ? answer : ''
  }
  const hasField = (name: string): boolean => fields.some(({ field_name }) => field_name === name)
  const namedAnswers = contactFields.filter((name) => hasField(name) && text(name) !== '').map((name) => [name, text(name)])
  return {
    ...Object.fromEntries(namedAnswers),
    first_name: text('first_name'),
    last_name: text('last_name'),
    email: firstAnswer(fields, answers, 'email'),
    phone: firstAnswer(fields, answers, 'tel'),
    lead_source: 'Web',
    external_id: `form_${Date.now()}_${randomBytes(6).toString('hex')}`,
  }
}

const withoutFields = (contact: ContactToStore, names: readonly string[]): ContactToStore =>
  Object.fromEntries(Object.entries(contact).filter(([name]) => !names.includes(name)))

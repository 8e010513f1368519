import * as z from 'zod/mini'
import { emptyContact, type Contact } from '#contract/contacts.ts'

const text = z.string()

/** A contact as the form holds it: text as typed, and lead sources that an import brought along. */
export const ContactValues = z.object({
  first_name: text,
  last_name: text,
  email: text,
  phone: text,
  mobile_phone: text,
  company: text,
  title: text,
  department: text,
  reports_to_id: z.nullable(text),
  mailing_street: text,
  mailing_city: text,
  mailing_state: text,
  mailing_postal_code: text,
  mailing_country: text,
  lead_source: text,
  description: text,
})
export type ContactValues = z.infer<typeof ContactValues>
export type ContactField = keyof ContactValues

export const contactFields = z.keyof(ContactValues).options

/** What each field is called, on the form, the page and in the timeline. */
export const contactLabels: Record<ContactField, string> = {
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  phone: 'Phone',
  mobile_phone: 'Mobile phone',
  company: 'Company',
  title: 'Title',
  department: 'Department',
  reports_to_id: 'Reports to',
  mailing_street: 'Street',
  mailing_city: 'City',
  mailing_state: 'State or region',
  mailing_postal_code: 'Postal code',
  mailing_country: 'Country',
  lead_source: 'Lead source',
  description: 'Description',
}

export const isContactField = (name: string): name is ContactField => name in contactLabels

/** The fields of a contact; of nobody yet when there is none. */
export const valuesOf = (contact: Contact | undefined): ContactValues => ContactValues.parse(contact ?? emptyContact)

/** The fields that differ from `base`. Blanks around a text are no difference: the server cuts them off. */
export function changesFrom(base: ContactValues, values: ContactValues): Partial<ContactValues> {
  return Object.fromEntries(
    contactFields.filter((name) => trimmed(values[name]) !== trimmed(base[name])).map((name) => [name, values[name]]),
  )
}

const trimmed = (value: string | null): string => value?.trim() ?? ''

/** Fields by name, as a list in words: "Phone", "Phone and title", "Phone, title and company". */
export function fieldsInWords(names: readonly ContactField[]): string {
  const words = names.map((name, index) => (index === 0 ? contactLabels[name] : contactLabels[name].toLowerCase()))
  return new Intl.ListFormat('en-GB').format(words)
}

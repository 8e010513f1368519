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
  company_id: z.nullable(text),
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
  tags: z.array(text),
})
export type ContactValues = z.infer<typeof ContactValues>
export type ContactField = keyof ContactValues

/** What each field is called, on the form, the page and in the timeline. */
export const contactLabels: Record<ContactField, string> = {
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  phone: 'Phone',
  mobile_phone: 'Mobile phone',
  company: 'Company',
  company_id: 'Company record',
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
  tags: 'Tags',
}

/** The fields of a contact; of nobody yet when there is none. */
export const valuesOf = (contact: Contact | undefined): ContactValues => ContactValues.parse(contact ?? emptyContact)

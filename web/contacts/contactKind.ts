import { ContactFields, ContactPatch, contactRoutes, emptyContact, NewContact, type Contact } from '#contract/contacts.ts'
import { recordKinds } from '#contract/kinds.ts'
import { callForChange } from '#web/lib/client.ts'
import { formKind } from '#web/records/form/recordForm.ts'

/** What each field is called, on the form, the page and in the timeline. */
export const contactLabels: Record<keyof ContactFields, string> = {
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  phone: 'Phone',
  mobile_phone: 'Mobile phone',
  company: 'Company',
  company_id: 'Linked company',
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

export const contactsTable = recordKinds.contact.table

export const fullName = ({ first_name, last_name }: { first_name: string; last_name: string }): string =>
  `${first_name} ${last_name}`.trim()

export const contactPages = {
  ...recordKinds.contact,
  path: '/crm/contacts',
  editPath: (id: string) => `/crm/contacts/edit/${id}`,
  titleOf: fullName,
}

/** The form. The server may refuse a new contact as a duplicate, with the matches. */
export const contactKind = formKind<Contact>({
  kind: recordKinds.contact,
  labels: contactLabels,
  empty: emptyContact,
  accepts: ContactFields,
  create: (changes, allowDuplicate) =>
    callForChange(contactRoutes.create, { body: NewContact.parse({ ...changes, ...(allowDuplicate && { allow_duplicate: true }) }) }),
  update: (id, changes, version) =>
    callForChange(contactRoutes.update, { params: { id }, body: ContactPatch.parse({ ...changes, version }) }),
})

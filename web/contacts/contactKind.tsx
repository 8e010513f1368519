import * as z from 'zod/mini'
import { ContactFields, contactFilters, contactRoutes, type Contact, emptyContact, leadSources, mergeLabel } from '#contract/contacts.ts'
import { recordKinds } from '#contract/kinds.ts'
import { defineKind, linkFromText } from '#web/records/kind/kind.ts'
import { createMenuLinks } from '#web/records/links/externalLinks.ts'
import { LinkCell } from '#web/records/list/cells.tsx'

export const contactKind = defineKind({
  ...recordKinds.contact,
  path: '/crm/contacts',
  editPath: (id) => `/crm/contacts/edit/${id}`,
  relatedTables: ['notes'], // the list has a column with the notes
  routes: contactRoutes,
  titleOf: formatFullName,
  detailOf: ({ company, email }) => company || email,
  blank: emptyContact,
  fields: {
    first_name: { label: 'First name' },
    last_name: { label: 'Last name' },
    email: { label: 'Email', externalLink: 'email' },
    phone: { label: 'Phone', externalLink: 'phone' },
    mobile_phone: { label: 'Mobile phone', externalLink: 'phone' },
    company: { label: 'Company' },
    company_id: { label: 'Company', linksTo: 'company', titleField: 'company' },
    title: { label: 'Title' },
    department: { label: 'Department' },
    reports_to_id: { label: 'Reports to', linksTo: 'contact' },
    mailing_street: { label: 'Street' },
    mailing_city: { label: 'City' },
    mailing_state: { label: 'State or region' },
    mailing_postal_code: { label: 'Postal code' },
    mailing_country: { label: 'Country' },
    lead_source: { label: 'Lead source', choices: leadSources.map((value) => ({ value, label: value })) },
    description: { label: 'Description', isLong: true },
    tags: { label: 'Tags' },
    raw_data: {
      label: 'Additional data',
      isLong: true,
      // the labels of an undo and a redo begin with "Undone: " and "Redone: "
      describeChange: (label) => (label.endsWith(mergeLabel) ? 'Merged with another contact' : undefined),
    },
  },
  input: z.extend(ContactFields, { reports_to_id: linkFromText('contact') }),
  filters: contactFilters,
  filterFields: [
    'tags',
    'company_id',
    'mailing_city',
    'mailing_state',
    'mailing_country',
    'lead_source',
    'title',
    'department',
    'reports_to_id',
    'email',
    'phone',
    'created_at',
  ],
  bulkFields: ['company_id', 'title', 'department', 'mailing_city', 'mailing_state', 'mailing_country', 'lead_source', 'reports_to_id'],
  mergeAddress: (id, otherId) => `/crm/contacts/duplicates?contact=${id}&other=${otherId}`,
  sorts: [{ name: 'name' }, { name: 'email' }, { name: 'company' }],
  titleCell: { width: 196, secondLine: (contact) => contact.company || contact.email || getPhoneNumber(contact) },
  columns: [
    { name: 'email', width: 196 },
    {
      name: 'phone',
      width: 172,
      hasFixedWidth: true,
      cell: (row, isInTabOrder) => <LinkCell externalLink="phone" value={getPhoneNumber(row)} isInTabOrder={isInTabOrder} />,
    },
    { name: 'company', width: 142, minWindowWidth: 1024 },
    { name: 'title', width: 128, minWindowWidth: 1024 },
    { name: 'notes', minWindowWidth: 1200 },
    { name: 'tags', width: 180, isHiddenByDefault: true },
    { name: 'mailing_city', width: 128, isHiddenByDefault: true },
    { name: 'mailing_country', width: 128, isHiddenByDefault: true },
    { name: 'lead_source', width: 128, isHiddenByDefault: true },
    { name: 'created_at', width: 120, isHiddenByDefault: true },
  ],
  menuLinks: (contact) => createMenuLinks({ email: contact.email, phone: getPhoneNumber(contact) }),
  searchedFields: 'name, email, phone or company',
  emptyList: {
    title: 'The people you do business with',
    text: 'Customers, suppliers, partners: everyone you write to or call has a place here. Start with the list that you already have.',
    startsWithImport: true,
    illustrationShapes: <BusinessCards />,
  },
})

export function formatFullName({ first_name, last_name }: { first_name: string; last_name: string }): string {
  return `${first_name} ${last_name}`.trim()
}

/** Returns the phone number, or the mobile number if there is no phone number. */
export function getPhoneNumber({ phone, mobile_phone }: { phone: string; mobile_phone: string }): string {
  return phone || mobile_phone
}

type Address = Pick<Contact, 'mailing_street' | 'mailing_city' | 'mailing_state' | 'mailing_postal_code' | 'mailing_country'>

/** Formats the mailing address as "14 Chandler's Row, Millgate, MG4 2QT". */
export function formatAddress(contact: Address): string {
  return [contact.mailing_street, contact.mailing_city, contact.mailing_state, contact.mailing_postal_code, contact.mailing_country]
    .filter((part) => part !== '')
    .join(', ')
}

/** The additional shapes in the illustration of an empty list. */
function BusinessCards() {
  return (
    <>
      <rect x="112" y="70" width="34" height="22" rx="4" />
      <circle cx="121" cy="81" r="4" />
      <path d="M130 78h10M130 84h7" />
      <rect x="14" y="78" width="28" height="18" rx="4" />
      <path d="M20 85h16M20 90h9" />
    </>
  )
}

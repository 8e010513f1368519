import { IconMail, IconPhone } from '@tabler/icons-react'
import { contactFilters, contactRoutes, leadSources, type ContactRow } from '#contract/contacts.ts'
import { recordKinds } from '#contract/kinds.ts'
import { LinkCell, NameCell, TagsCell, TextCell } from '#web/records/list/cells.tsx'
import type { ListColumn, ListKind } from '#web/records/kind/kind.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { mailLink, phoneLink } from '#web/records/links/externalLinks.ts'
import { contactLabels } from './contactKind.ts'
import { fullName } from './contactKind.ts'
import { numberOf } from './links.ts'

/** What the list of contacts is. */
export const contactList: ListKind<ContactRow> = {
  ...recordKinds.contact,
  shows: ['notes'],
  path: '/crm/contacts',
  editPath: (id) => `/crm/contacts/edit/${id}`,
  routes: contactRoutes,
  filters: contactFilters,
  nameOf: fullName,
  columns,
  sorts: [
    { name: 'name', label: 'Name' },
    { name: 'email', label: 'Email' },
    { name: 'company', label: 'Company' },
  ],
  fields: [
    { name: 'tags', label: contactLabels.tags },
    { name: 'company', label: contactLabels.company },
    { name: 'company_id', label: contactLabels.company_id, bulkLabel: contactLabels.company, linksTo: 'company', nameInto: 'company' },
    { name: 'mailing_city', label: contactLabels.mailing_city },
    { name: 'mailing_state', label: contactLabels.mailing_state },
    { name: 'mailing_country', label: contactLabels.mailing_country },
    { name: 'lead_source', label: contactLabels.lead_source, choices: leadSources.map((value) => ({ value, label: value })) },
    { name: 'title', label: contactLabels.title },
    { name: 'department', label: contactLabels.department },
    { name: 'reports_to_id', label: contactLabels.reports_to_id, linksTo: 'contact' },
    { name: 'email', label: contactLabels.email },
    { name: 'phone', label: contactLabels.phone },
    { name: 'created_at', label: 'Added', required: true },
  ],
  bulk: ['company_id', 'title', 'department', 'mailing_city', 'mailing_state', 'mailing_country', 'lead_source', 'reports_to_id'],
  searched: 'name, email, phone or company',
  empty: {
    title: 'The people you do business with',
    words: 'Customers, suppliers, partners: everyone you write to or call has a place here. Start with one.',
    motif: <Cards />,
  },
  links: (contact) => [
    ...(contact.email ? [{ label: 'Send email', icon: IconMail, href: mailLink(contact.email) }] : []),
    ...(numberOf(contact) ? [{ label: 'Call', icon: IconPhone, href: phoneLink(numberOf(contact)) }] : []),
  ],
}

function columns(isPhone: boolean): readonly ListColumn<ContactRow>[] {
  return [
    {
      name: 'name',
      label: 'Name',
      sortable: true,
      width: 196,
      cell: (contact, reachable) => <Name contact={contact} reachable={reachable} isPhone={isPhone} />,
    },
    {
      name: 'email',
      label: 'Email',
      sortable: true,
      width: 196,
      cell: ({ email }, reachable) => <LinkCell text={email} href={mailLink(email)} what="email" reachable={reachable} />,
    },
    {
      name: 'phone',
      label: 'Phone',
      width: 172,
      firm: true,
      cell: (row, reachable) => <LinkCell text={numberOf(row)} href={phoneLink(numberOf(row))} what="phone" reachable={reachable} />,
    },
    { name: 'company', label: 'Company', sortable: true, width: 142, from: 1024, cell: ({ company }) => <TextCell text={company} /> },
    { name: 'title', label: 'Title', width: 128, from: 1024, cell: ({ title }) => <TextCell text={title} /> },
    { name: 'notes', label: 'Notes', from: 1200, cell: ({ notes }) => <TextCell text={notes} /> },
    { name: 'tags', label: 'Tags', width: 180, from: 'never', cell: ({ tags }) => <TagsCell tags={tags} /> },
    { name: 'mailing_city', label: 'City', width: 128, from: 'never', cell: ({ mailing_city }) => <TextCell text={mailing_city} /> },
    {
      name: 'mailing_country',
      label: 'Country',
      width: 128,
      from: 'never',
      cell: ({ mailing_country }) => <TextCell text={mailing_country} />,
    },
    { name: 'lead_source', label: 'Lead source', width: 128, from: 'never', cell: ({ lead_source }) => <TextCell text={lead_source} /> },
    { name: 'created_at', label: 'Added', width: 120, from: 'never', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  ]
}

function Name({ contact, reachable, isPhone }: { contact: ContactRow; reachable: boolean; isPhone: boolean }) {
  const name = fullName(contact)
  return (
    <NameCell
      name={name}
      href={`/crm/contacts/${contact.id}`}
      picture={<Avatar id={contact.id} name={name} size={isPhone ? 32 : 24} />}
      second={isPhone && (contact.company || contact.email || numberOf(contact))}
      reachable={reachable}
    />
  )
}

function Cards() {
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

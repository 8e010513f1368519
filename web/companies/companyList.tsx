import { IconMail, IconPhone, IconWorld } from '@tabler/icons-react'
import { companyFilters, type CompanyRow } from '#contract/companies.ts'
import { count } from '#web/lib/format.ts'
import { LinkCell, NameCell, TagsCell, TextCell } from '#web/records/list/cells.tsx'
import { mailLink, phoneLink } from '#web/records/links/externalLinks.ts'
import type { ListColumn, ListKind } from '#web/records/kind/kind.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { companyLabels } from './companyKind.ts'
import { companyPlace } from './companyPlace.ts'

/** What the list of companies is. */
export const companyList: ListKind<CompanyRow> = {
  ...companyPlace,
  shows: [],
  opensOver: true,
  filters: companyFilters,
  nameOf: ({ name }) => name,
  columns,
  sorts: [
    { name: 'name', label: 'Name' },
    { name: 'industry', label: 'Industry' },
    { name: 'employees_count', label: 'Employees', ascending: 'fewest first', descending: 'most first' },
  ],
  fields: [
    { name: 'tags', label: companyLabels.tags },
    { name: 'industry', label: companyLabels.industry },
    { name: 'employees_count', label: companyLabels.employees_count },
    { name: 'name', label: companyLabels.name, required: true },
    { name: 'website', label: companyLabels.website },
    { name: 'email', label: companyLabels.email },
    { name: 'phone', label: companyLabels.phone },
    { name: 'created_at', label: 'Added', required: true },
  ],
  bulk: ['industry'],
  searched: 'name, industry, website, email or phone',
  empty: {
    title: 'The businesses you work with',
    words: 'Customers, suppliers, partners. A company brings its people and its deals together in one place.',
    motif: <House />,
  },
  links: ({ website, email, phone }) => [
    ...(website ? [{ label: 'Open website', icon: IconWorld, href: website }] : []),
    ...(email ? [{ label: 'Send email', icon: IconMail, href: mailLink(email) }] : []),
    ...(phone ? [{ label: 'Call', icon: IconPhone, href: phoneLink(phone) }] : []),
  ],
}

function columns(isPhone: boolean): readonly ListColumn<CompanyRow>[] {
  return [
    {
      name: 'name',
      label: companyLabels.name,
      sortable: true,
      width: 220,
      cell: (company, reachable) => <Name company={company} reachable={reachable} isPhone={isPhone} />,
    },
    { name: 'industry', label: companyLabels.industry, sortable: true, width: 150, cell: ({ industry }) => <TextCell text={industry} /> },
    {
      name: 'website',
      label: companyLabels.website,
      from: 1024,
      cell: ({ website }, reachable) => <LinkCell text={withoutProtocol(website)} href={website} what="website" reachable={reachable} />,
    },
    {
      name: 'phone',
      label: companyLabels.phone,
      width: 172,
      firm: true,
      cell: ({ phone }, reachable) => <LinkCell text={phone} href={phoneLink(phone)} what="phone" reachable={reachable} />,
    },
    {
      name: 'email',
      label: companyLabels.email,
      from: 1200,
      cell: ({ email }, reachable) => <LinkCell text={email} href={mailLink(email)} what="email" reachable={reachable} />,
    },
    {
      name: 'employees_count',
      label: companyLabels.employees_count,
      sortable: true,
      align: 'right',
      width: 112,
      firm: true,
      cell: ({ employees_count }) => employees_count !== null && count(employees_count),
    },
    { name: 'tags', label: companyLabels.tags, width: 180, from: 'never', cell: ({ tags }) => <TagsCell tags={tags} /> },
    { name: 'created_at', label: 'Added', width: 120, from: 'never', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  ]
}

function Name({ company, reachable, isPhone }: { company: CompanyRow; reachable: boolean; isPhone: boolean }) {
  const { id, name, industry, website, email } = company
  return (
    <NameCell
      name={name}
      href={`${companyPlace.path}/${id}`}
      picture={<Avatar id={id} name={name} size={isPhone ? 32 : 24} shape="square" />}
      second={isPhone && (industry || withoutProtocol(website) || email)}
      reachable={reachable}
    />
  )
}

/** "example.com" says as much as "https://www.example.com/". */
export const withoutProtocol = (address: string): string => address.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')

function House() {
  return (
    <>
      <path d="M112 92V66h22v26M118 73h3M126 73h3M118 80h3M126 80h3M120 92v-5h6v5" />
      <path d="M16 96V82h24v14M22 88h12" />
    </>
  )
}

import { IconBriefcase, IconMail, IconPhone, IconTags, IconUsers, IconWorld } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Company } from '#contract/companies.ts'
import { contactRoutes } from '#contract/contacts.ts'
import { dealRoutes } from '#contract/deals.ts'
import { recordKinds } from '#contract/kinds.ts'
import { formatMoney } from '#web/lib/format.ts'
import { RowEnd } from '#web/records/panel/ShortRecordList.tsx'
import { LinkedSection } from '#web/records/panel/LinkedSection.tsx'
import { EditableFacts, type EditableFact } from '#web/records/panel/EditableFacts.tsx'
import { RecordPanel } from '#web/records/panel/RecordPanel.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { companyInputs } from './companyInputs.tsx'
import { companyKind } from './companyKind.tsx'
import { ContactsToLink } from './ContactsToLink.tsx'

const deals = { ...recordKinds.deal, path: '/crm/deals', routes: dealRoutes }
const contacts = { ...recordKinds.contact, path: '/crm/contacts', routes: contactRoutes }

const facts: readonly EditableFact<Company>[] = [
  { fields: ['industry'], icon: IconBriefcase },
  { fields: ['website'], icon: IconWorld },
  { fields: ['phone'], icon: IconPhone },
  { fields: ['email'], icon: IconMail },
  { fields: ['employees_count'], icon: IconUsers },
  { fields: ['tags'], icon: IconTags },
]

/** A panel with the fields, the deals and the contacts of a company. */
export const CompanyPanel = () => (
  <RecordPanel kind={companyKind} inputs={companyInputs} titleField="name">
    {(company) => (
      <>
        <EditableFacts kind={companyKind} record={company} inputs={companyInputs} facts={facts} />
        <CompanyDeals companyId={company.id} />
        <CompanyContacts companyId={company.id} />
        <ContactsToLink company={company} />
      </>
    )}
  </RecordPanel>
)

/** The most recently changed deals of a company. */
const CompanyDeals = ({ companyId }: { companyId: string }) => (
  <LinkedSection kind={deals} parentKind="company" parentId={companyId} sort="changed" order="desc" listParameters={{ as: 'list' }}>
    {({ id, title, value }) => (
      <>
        <Link className="link" to="/crm/deals/$id" params={{ id }} title={title}>
          {title}
        </Link>
        <RowEnd>{value !== null && <span title={formatMoney(value)}>{formatMoney(value)}</span>}</RowEnd>
      </>
    )}
  </LinkedSection>
)

/** The first contacts of a company in the order of their names. */
const CompanyContacts = ({ companyId }: { companyId: string }) => (
  <LinkedSection kind={contacts} parentKind="company" parentId={companyId} sort="name">
    {({ id, first_name, last_name, title }) => {
      const name = `${first_name} ${last_name}`.trim()
      return (
        <>
          <Avatar id={id} name={name} size={20} />
          <Link className="link" to="/crm/contacts/$id" params={{ id }} title={name}>
            {name}
          </Link>
          <RowEnd>
            <span title={title}>{title}</span>
          </RowEnd>
        </>
      )
    }}
  </LinkedSection>
)

import { IconBriefcase, IconMail, IconPhone, IconTags, IconUsers, IconWorld } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Company } from '#contract/companies.ts'
import { count } from '#web/lib/format.ts'
import { mailLink, phoneLink } from '#web/records/links/externalLinks.ts'
import { Fact, RecordFacts, Tags } from '#web/records/panel/RecordFacts.tsx'
import { RecordPanel } from '#web/records/panel/RecordPanel.tsx'
import { PanelTitle } from '#web/records/panel/SidePanel.tsx'
import { companyLabels, tellCompany } from './companyKind.ts'
import { withoutProtocol } from './companyList.tsx'
import { companyPlace } from './companyPlace.ts'
import { ContactsOf, DealsOf } from './ofCompany.tsx'
import { companyQuery } from './queries.ts'

const route = getRouteApi('/signed-in/crm/companies/$id')

/** One company over the list: what is known of it, its deals and people, and what happened. */
export function CompanyPanel() {
  const { id } = route.useParams()
  const { panel } = route.useSearch()
  const found = useQuery(companyQuery(id))
  return (
    <RecordPanel
      kind={companyPlace}
      id={id}
      asPage={panel === 'page'}
      record={found}
      visit={({ name, industry }) => ({ title: name, detail: industry })}
      tell={tellCompany}
    >
      {(company) => <Shown company={company} />}
    </RecordPanel>
  )
}

function Shown({ company }: { company: Company }) {
  const { id, name, industry, website, phone, email, employees_count, tags } = company
  return (
    <>
      <PanelTitle>{name}</PanelTitle>
      <RecordFacts>
        <Fact icon={IconBriefcase} label={companyLabels.industry}>
          {industry}
        </Fact>
        <Fact icon={IconWorld} label={companyLabels.website}>
          {website && (
            <a className="link" href={website} target="_blank" rel="noreferrer">
              {withoutProtocol(website)}
            </a>
          )}
        </Fact>
        <Fact icon={IconPhone} label={companyLabels.phone}>
          {phone && <a href={phoneLink(phone)}>{phone}</a>}
        </Fact>
        <Fact icon={IconMail} label={companyLabels.email}>
          {email && (
            <a className="link" href={mailLink(email)}>
              {email}
            </a>
          )}
        </Fact>
        <Fact icon={IconUsers} label={companyLabels.employees_count}>
          {employees_count !== null && count(employees_count)}
        </Fact>
        <Fact icon={IconTags} label={companyLabels.tags}>
          {tags.length > 0 && <Tags tags={tags} />}
        </Fact>
      </RecordFacts>
      <DealsOf company={id} />
      <ContactsOf company={id} />
    </>
  )
}

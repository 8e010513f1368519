import { ActionIcon } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { money } from '#web/lib/format.ts'
import { AtEnd, FewRecords } from '#web/records/panel/FewRecords.tsx'
import { PanelSection } from '#web/records/panel/SidePanel.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { contactsOf, dealsOf } from './queries.ts'

const listOf = (company: string) => ({ filter: [{ field: 'company_id', is: [company] }] })

/** The deals of a company that were changed last. */
export const DealsOf = ({ company }: { company: string }) => (
  <PanelSection
    title="Deals"
    action={
      <ActionIcon
        renderRoot={(props) => <Link to="/crm/deals/new" search={{ company }} {...props} />}
        size={26}
        aria-label="Add deal"
        title="Add deal"
      >
        <IconPlus size={16} stroke={1.75} />
      </ActionIcon>
    }
  >
    <FewRecords
      plural="deals"
      found={useQuery(dealsOf(company))}
      all={
        <Link className="link" to="/crm/deals" search={{ ...listOf(company), as: 'list' }}>
          All deals of this company
        </Link>
      }
    >
      {({ id, title, value }) => (
        <>
          <Link className="link" to="/crm/deals/$id" params={{ id }} title={title}>
            {title}
          </Link>
          <AtEnd>{value !== null && <span title={money(value)}>{money(value)}</span>}</AtEnd>
        </>
      )}
    </FewRecords>
  </PanelSection>
)

/** Some of the people at a company, by name. */
export const ContactsOf = ({ company }: { company: string }) => (
  <PanelSection
    title="Contacts"
    action={
      <ActionIcon
        renderRoot={(props) => <Link to="/crm/contacts/new" search={{ company }} {...props} />}
        size={26}
        aria-label="Add contact"
        title="Add contact"
      >
        <IconPlus size={16} stroke={1.75} />
      </ActionIcon>
    }
  >
    <FewRecords
      plural="contacts"
      found={useQuery(contactsOf(company))}
      all={
        <Link className="link" to="/crm/contacts" search={listOf(company)}>
          All contacts of this company
        </Link>
      }
    >
      {({ id, first_name, last_name, title }) => {
        const name = `${first_name} ${last_name}`.trim()
        return (
          <>
            <Avatar id={id} name={name} size={20} />
            <Link className="link" to="/crm/contacts/$id" params={{ id }} title={name}>
              {name}
            </Link>
            <AtEnd>
              <span title={title}>{title}</span>
            </AtEnd>
          </>
        )
      }}
    </FewRecords>
  </PanelSection>
)

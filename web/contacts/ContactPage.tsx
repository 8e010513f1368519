import { Button } from '@mantine/core'
import { IconMail, IconPhone, IconUserPlus } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Contact } from '#contract/contacts.ts'
import { toMailtoLink, toTelLink } from '#web/records/links/externalLinks.ts'
import { RecordHeader } from '#web/records/panel/RecordCard.tsx'
import { RecordPage } from '#web/records/panel/RecordPage.tsx'
import { ContactCard } from './ContactCard.tsx'
import { contactKind, formatFullName, getPhoneNumber } from './contactKind.tsx'
import { ContactTabs } from './ContactTabs.tsx'

const route = getRouteApi('/signed-in/crm/contacts/$id')

/** The page of a contact, with its fields, its tabs and its timeline. */
export function ContactPage() {
  const { tab } = route.useSearch()
  return (
    <RecordPage kind={contactKind} createdIcon={IconUserPlus}>
      {(contact) => (
        <>
          <RecordHeader
            id={contact.id}
            title={formatFullName(contact)}
            subtitle={(contact.title || contact.company) && <Position contact={contact} />}
            phoneButtons={(getPhoneNumber(contact) || contact.email) && <CallAndEmail contact={contact} />}
          />
          <ContactCard contact={contact} />
          <ContactTabs contact={contact} openName={tab} />
        </>
      )}
    </RecordPage>
  )
}

/** The title and the company of a contact: "Practice manager at Quillstone Dental". */
const Position = ({ contact: { title, company, company_id } }: { contact: Contact }) => (
  <>
    {title} {title && company && 'at'}{' '}
    {company && company_id ? (
      <Link className="link" to="/crm/companies/$id" params={{ id: company_id }}>
        {company}
      </Link>
    ) : (
      company
    )}
  </>
)

function CallAndEmail({ contact }: { contact: Contact }) {
  const number = getPhoneNumber(contact)
  return (
    <>
      {number && (
        <Button component="a" href={toTelLink(number)} variant="default" leftSection={<IconPhone size={16} stroke={1.75} />}>
          Call
        </Button>
      )}
      {contact.email && (
        <Button component="a" href={toMailtoLink(contact.email)} variant="default" leftSection={<IconMail size={16} stroke={1.75} />}>
          Email
        </Button>
      )}
    </>
  )
}

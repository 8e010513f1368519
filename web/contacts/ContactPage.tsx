import { Button } from '@mantine/core'
import { IconMail, IconPhone, IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Contact } from '#contract/contacts.ts'
import { featureRegistry, type ContactTab } from '#web/lib/features.ts'
import { recordQuery } from '#web/records/kind/queries.ts'
import { toMailtoLink, toTelLink } from '#web/records/links/externalLinks.ts'
import { EditableTitle } from '#web/records/panel/EditableTitle.tsx'
import { RecordHeader } from '#web/records/panel/RecordCard.tsx'
import { RecordPage } from '#web/records/panel/RecordPage.tsx'
import { ContactCard } from './ContactCard.tsx'
import { contactInputs } from './contactInputs.tsx'
import { contactKind, formatFullName, getPhoneNumber } from './contactKind.tsx'
import { ContactTabs, useTabOpener } from './ContactTabs.tsx'

const nameFields = ['first_name', 'last_name']
const route = getRouteApi('/signed-in/crm/contacts/$id')

/** The page of a contact, with its fields, its tabs and its timeline. */
export function ContactPage() {
  const { tab } = route.useSearch()
  const page = (
    <RecordPage kind={contactKind} createdIcon={IconUserPlus}>
      {(contact) => (
        <>
          <RecordHeader
            id={contact.id}
            title={formatFullName(contact)}
            renderTitle={(title) => (
              <EditableTitle kind={contactKind} record={contact} inputs={contactInputs} fields={nameFields} noun="name">
                {title}
              </EditableTitle>
            )}
            subtitle={(contact.title || contact.company) && <Position contact={contact} />}
            buttonsOnPhones={(getPhoneNumber(contact) || contact.email) && <CallAndEmail contact={contact} />}
          />
          <ContactCard contact={contact} />
          <ContactTabs contact={contact} currentName={tab} />
        </>
      )}
    </RecordPage>
  )
  const tabs = featureRegistry.get().contactTabs
  // the frames of the tabs are nested, with the page in the innermost one
  return tabs.reduce((inner, contactTab) => <TabFrame tab={contactTab}>{inner}</TabFrame>, page)
}

/** Wraps the page in the `Frame` of a tab, for example to receive dropped files. A tab without a frame changes nothing. */
function TabFrame({ tab: { name, Frame }, children }: { tab: ContactTab; children: ReactNode }) {
  const { id } = route.useParams()
  const { data: contact } = useQuery(recordQuery(contactKind, id))
  const openTab = useTabOpener(id)
  if (!Frame) return children
  return (
    <Frame contactId={id} contactName={contact ? formatFullName(contact) : ''} onOpen={() => openTab(name)}>
      {children}
    </Frame>
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

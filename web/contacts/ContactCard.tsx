import {
  IconAlignLeft,
  IconArrowRampRight,
  IconBriefcase,
  IconBuilding,
  IconDeviceMobile,
  IconMail,
  IconMapPin,
  IconPhone,
  IconSitemap,
  IconTags,
  IconUsersGroup,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { syncedValuesName, type Contact } from '#contract/contacts.ts'
import { EditableFacts, type EditableFact } from '#web/records/panel/EditableFacts.tsx'
import { CardFact, RecordCard } from '#web/records/panel/RecordCard.tsx'
import classes from './ContactCard.module.css'
import { contactInputs } from './contactInputs.tsx'
import { contactKind } from './contactKind.tsx'

const facts: readonly EditableFact<Contact>[] = [
  { fields: ['email'], icon: IconMail, getCopyText: ({ email }) => email },
  { fields: ['company', 'company_id'], icon: IconBuilding, render: (contact) => <CompanyLink contact={contact} /> },
  { fields: ['phone'], icon: IconPhone, getCopyText: ({ phone }) => phone },
  { fields: ['title'], icon: IconBriefcase },
  { fields: ['mobile_phone'], icon: IconDeviceMobile, getCopyText: ({ mobile_phone }) => mobile_phone },
  { fields: ['department'], icon: IconUsersGroup },
  {
    fields: ['mailing_street', 'mailing_city', 'mailing_postal_code', 'mailing_state', 'mailing_country'],
    label: 'Address',
    icon: IconMapPin,
    render: formatAddress,
    getCopyText: formatAddress,
  },
  {
    fields: ['reports_to_id'],
    icon: IconSitemap,
    render: ({ reports_to_id, reports_to_name }) =>
      reports_to_id && (
        <Link className="link" to="/crm/contacts/$id" params={{ id: reports_to_id }}>
          {reports_to_name}
        </Link>
      ),
  },
  { fields: ['lead_source'], icon: IconArrowRampRight },
  { fields: ['tags'], icon: IconTags },
  { fields: ['description'], icon: IconAlignLeft, isWide: true },
]

/** The fields of a contact, then the imported values for which contacts have no field. */
export const ContactCard = ({ contact }: { contact: Contact }) => (
  <>
    <EditableFacts key={contact.id} kind={contactKind} record={contact} inputs={contactInputs} facts={facts} columns={2} />
    <ImportedValues values={contact.raw_data ?? {}} />
  </>
)

/** The company of a contact; a link if it has a record. */
const CompanyLink = ({ contact: { company, company_id } }: { contact: Contact }) =>
  company_id ? (
    <Link className="link" to="/crm/companies/$id" params={{ id: company_id }}>
      {company || 'Company'}
    </Link>
  ) : (
    company
  )

/** Formats the mailing address as "14 Chandler's Row, Millgate, MG4 2QT". */
function formatAddress(contact: Contact): string {
  return [contact.mailing_street, contact.mailing_city, contact.mailing_state, contact.mailing_postal_code, contact.mailing_country]
    .filter((part) => part !== '')
    .join(', ')
}

function ImportedValues({ values }: { values: Record<string, unknown> }) {
  const filledValues = Object.entries(values).filter(([name, value]) => value !== null && value !== '' && name !== syncedValuesName)
  if (filledValues.length === 0) return null
  return (
    <section className={classes['imported']}>
      <h3>More from the import</h3>
      <RecordCard>
        {filledValues.map(([name, value]) => (
          <CardFact key={name} label={name}>
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </CardFact>
        ))}
      </RecordCard>
    </section>
  )
}

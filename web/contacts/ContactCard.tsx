import { Link } from '@tanstack/react-router'
import type { Contact } from '#contract/contacts.ts'
import { CardFact, CardField, RecordCard } from '#web/records/panel/RecordCard.tsx'
import classes from './ContactCard.module.css'
import { contactKind } from './contactKind.tsx'
import { ContactTags } from './ContactTags.tsx'

const { fields } = contactKind

/** The fields of a contact, then the imported values for which contacts have no field. */
export function ContactCard({ contact }: { contact: Contact }) {
  const { company, company_id, reports_to_id, reports_to_name } = contact
  const address = formatAddress(contact)
  return (
    <>
      <RecordCard>
        <CardField kind={contactKind} record={contact} field="email" canCopy />
        <CardField kind={contactKind} record={contact} field="phone" canCopy />
        <CardField kind={contactKind} record={contact} field="mobile_phone" canCopy />
        <CardFact label={fields.company.label}>
          {company_id ? (
            <Link className="link" to="/crm/companies/$id" params={{ id: company_id }}>
              {company || 'Linked company'}
            </Link>
          ) : (
            company
          )}
        </CardFact>
        <CardField kind={contactKind} record={contact} field="department" />
        <CardFact label={fields.reports_to_id.label}>
          {reports_to_id && (
            <Link className="link" to="/crm/contacts/$id" params={{ id: reports_to_id }}>
              {reports_to_name}
            </Link>
          )}
        </CardFact>
        <CardField kind={contactKind} record={contact} field="lead_source" />
        <CardFact label="Address" copyText={address} width={2}>
          {address}
        </CardFact>
        <CardFact label={fields.tags.label} width="all">
          <ContactTags contact={contact} />
        </CardFact>
        <CardField kind={contactKind} record={contact} field="description" width="all" />
      </RecordCard>
      <ImportedValues values={contact.raw_data ?? {}} />
    </>
  )
}

/** Formats the mailing address as "14 Chandler's Row, Millgate, MG4 2QT". */
const formatAddress = (contact: Contact): string =>
  [contact.mailing_street, contact.mailing_city, contact.mailing_state, contact.mailing_postal_code, contact.mailing_country]
    .filter((part) => part !== '')
    .join(', ')

function ImportedValues({ values }: { values: Record<string, unknown> }) {
  const filledValues = Object.entries(values).filter(([, value]) => value !== null && value !== '')
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

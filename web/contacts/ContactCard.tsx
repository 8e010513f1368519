import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Contact } from '#contract/contacts.ts'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { mailLink, phoneLink } from '#web/records/links/externalLinks.ts'
import classes from './ContactPage.module.css'
import { ContactTags } from './ContactTags.tsx'
import { contactKind } from './contactKind.tsx'
import { ImportedFields } from './ImportedFields.tsx'

const { fields } = contactKind

/** The fields of a contact; a dash where a field is empty. */
export function ContactCard({ contact }: { contact: Contact }) {
  const { email, phone, mobile_phone, company, company_id, department, reports_to_id, reports_to_name, lead_source, description } = contact
  const address = addressLine(contact)
  return (
    <>
      <dl className={classes['card']}>
        <Fact label={fields.email.label} copy={email}>
          {email && (
            <a className="link" href={mailLink(email)}>
              {email}
            </a>
          )}
        </Fact>
        <Fact label={fields.phone.label} copy={phone}>
          {phone && <a href={phoneLink(phone)}>{phone}</a>}
        </Fact>
        <Fact label={fields.mobile_phone.label} copy={mobile_phone}>
          {mobile_phone && <a href={phoneLink(mobile_phone)}>{mobile_phone}</a>}
        </Fact>
        <Fact label={fields.company.label}>
          {company_id ? (
            <Link className="link" to="/crm/companies/$id" params={{ id: company_id }}>
              {company || 'Linked company'}
            </Link>
          ) : (
            company
          )}
        </Fact>
        <Fact label={fields.department.label}>{department}</Fact>
        <Fact label={fields.reports_to_id.label}>
          {reports_to_id && (
            <Link className="link" to="/crm/contacts/$id" params={{ id: reports_to_id }}>
              {reports_to_name}
            </Link>
          )}
        </Fact>
        <Fact label={fields.lead_source.label}>{lead_source}</Fact>
        <Fact label="Address" copy={address} wide>
          {address}
        </Fact>
        <Fact label={fields.tags.label} full>
          <ContactTags contact={contact} />
        </Fact>
        <Fact label={fields.description.label} full>
          {description}
        </Fact>
      </dl>
      {contact.raw_data && <ImportedFields fields={contact.raw_data} />}
    </>
  )
}

type FactProps = {
  label: string
  /** What the button beside it copies. */
  copy?: string
  wide?: boolean
  full?: boolean
  children: ReactNode
}

function Fact({ label, copy, wide, full, children }: FactProps) {
  return (
    <div className={classes['fact']} data-wide={wide} data-full={full}>
      <dt>{label}</dt>
      <dd>
        <span className={classes['value']}>{children || '-'}</span>
        {copy && <CopyButton text={copy} label={`Copy ${label.toLowerCase()}`} />}
      </dd>
    </div>
  )
}

/** "14 Chandler's Row, Millgate, MG4 2QT". */
const addressLine = (contact: Contact): string =>
  [contact.mailing_street, contact.mailing_city, contact.mailing_state, contact.mailing_postal_code, contact.mailing_country]
    .filter((part) => part !== '')
    .join(', ')

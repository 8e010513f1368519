import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Contact } from '#contract/contacts.ts'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { mailLink, phoneLink } from '#web/records/links/externalLinks.ts'
import classes from './ContactPage.module.css'
import { ContactTags } from './ContactTags.tsx'
import { contactLabels } from './contactKind.ts'
import { ImportedFields } from './ImportedFields.tsx'

/** What is known of a contact; a dash where nothing is. */
export function ContactCard({ contact }: { contact: Contact }) {
  const { email, phone, mobile_phone, company, company_id, department, reports_to_id, reports_to_name, lead_source, description } = contact
  const address = addressLine(contact)
  return (
    <>
      <dl className={classes['card']}>
        <Fact label={contactLabels.email} copy={email}>
          {email && (
            <a className="link" href={mailLink(email)}>
              {email}
            </a>
          )}
        </Fact>
        <Fact label={contactLabels.phone} copy={phone}>
          {phone && <a href={phoneLink(phone)}>{phone}</a>}
        </Fact>
        <Fact label={contactLabels.mobile_phone} copy={mobile_phone}>
          {mobile_phone && <a href={phoneLink(mobile_phone)}>{mobile_phone}</a>}
        </Fact>
        <Fact label={contactLabels.company}>
          {company_id ? (
            <Link className="link" to="/crm/companies/$id" params={{ id: company_id }}>
              {company || 'Linked company'}
            </Link>
          ) : (
            company
          )}
        </Fact>
        <Fact label={contactLabels.department}>{department}</Fact>
        <Fact label={contactLabels.reports_to_id}>
          {reports_to_id && (
            <Link className="link" to="/crm/contacts/$id" params={{ id: reports_to_id }}>
              {reports_to_name}
            </Link>
          )}
        </Fact>
        <Fact label={contactLabels.lead_source}>{lead_source}</Fact>
        <Fact label="Address" copy={address} wide>
          {address}
        </Fact>
        <Fact label={contactLabels.tags} full>
          <ContactTags contact={contact} />
        </Fact>
        <Fact label={contactLabels.description} full>
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

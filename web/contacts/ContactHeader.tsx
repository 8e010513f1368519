import { Button } from '@mantine/core'
import { IconMail, IconPhone } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Contact } from '#contract/contacts.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { mailLink, phoneLink } from '#web/records/links/externalLinks.ts'
import classes from './ContactPage.module.css'
import { fullName } from './contactKind.tsx'
import { numberOf } from './links.ts'

/** Who it is: "Imara Vantongeren, Practice manager at Quillstone Dental"; on phones, how to reach them with one tap. */
export function ContactHeader({ contact }: { contact: Contact }) {
  const name = fullName(contact)
  const { title, company } = contact
  const number = numberOf(contact)
  return (
    <div className={classes['header']}>
      <Avatar id={contact.id} name={name} size={48} />
      <div className={classes['who']}>
        <p className={classes['name']}>{name}</p>
        {(title || company) && (
          <p>
            {title} {title && company && 'at'} <Company contact={contact} />
          </p>
        )}
      </div>
      {(number || contact.email) && (
        <div className={classes['reach']}>
          {number && (
            <Button component="a" href={phoneLink(number)} variant="default" leftSection={<IconPhone size={16} stroke={1.75} />}>
              Call
            </Button>
          )}
          {contact.email && (
            <Button component="a" href={mailLink(contact.email)} variant="default" leftSection={<IconMail size={16} stroke={1.75} />}>
              Email
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

/** The company; its record is one click away where there is one. */
function Company({ contact: { company, company_id } }: { contact: Contact }) {
  if (!company_id || !company) return company
  return (
    <Link className="link" to="/crm/companies/$id" params={{ id: company_id }}>
      {company}
    </Link>
  )
}

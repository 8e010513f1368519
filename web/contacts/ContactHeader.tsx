import type { Contact } from '#contract/contacts.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import classes from './ContactPage.module.css'
import { fullName } from './links.ts'

/** Who it is: "Imara Vantongeren, Practice manager at Quillstone Dental". */
export function ContactHeader({ contact }: { contact: Contact }) {
  const name = fullName(contact)
  const { title, company } = contact
  return (
    <div className={classes['header']}>
      <Avatar id={contact.id} name={name} size={48} />
      <div className={classes['who']}>
        <p className={classes['name']}>{name}</p>
        {(title || company) && <p>{title && company ? `${title} at ${company}` : title || company}</p>}
      </div>
    </div>
  )
}

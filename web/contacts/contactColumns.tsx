import { IconCopy, IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import type { ContactRow } from '#contract/contacts.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import type { Column } from '#web/ui/TableRow.tsx'
import classes from './ContactsTable.module.css'
import { fullName, mailLink, numberOf, phoneLink } from './links.ts'

/** The columns of the list. On a phone a row is a card: the name with the most useful second fact, and the menu. */
export const contactColumns = (isPhone: boolean): readonly Column<ContactRow>[] => [
  {
    name: 'name',
    label: 'Name',
    sortable: true,
    cell: (contact, reachable) => <NameCell contact={contact} reachable={reachable} isPhone={isPhone} />,
  },
  {
    name: 'email',
    label: 'Email',
    sortable: true,
    cell: ({ email }, reachable) => <LinkCell text={email} to={mailLink} what="email" reachable={reachable} />,
  },
  {
    name: 'phone',
    label: 'Phone',
    cell: (row, reachable) => <LinkCell text={numberOf(row)} to={phoneLink} what="phone" reachable={reachable} />,
  },
  { name: 'company', label: 'Company', sortable: true, cell: ({ company }) => <span title={company}>{company}</span> },
  { name: 'title', label: 'Title', cell: ({ title }) => <span title={title}>{title}</span> },
  { name: 'notes', label: 'Notes', cell: ({ notes }) => <span title={notes}>{notes}</span> },
  {
    name: 'actions',
    label: 'Actions',
    labelHidden: true,
    cell: (contact, reachable) => <Actions contact={contact} reachable={reachable} />,
  },
]

type CellProps = { contact: ContactRow; reachable: boolean }

function NameCell({ contact, reachable, isPhone }: CellProps & { isPhone: boolean }) {
  const name = fullName(contact)
  return (
    <div className={classes['who']}>
      <Avatar id={contact.id} name={name} size={isPhone ? 32 : 24} />
      <div className={classes['names']}>
        <a href={`/crm/contacts/${contact.id}`} data-row-link title={name} tabIndex={reachable ? 0 : -1}>
          {name}
        </a>
        {isPhone && <div className={classes['second']}>{contact.company || contact.email || numberOf(contact)}</div>}
      </div>
    </div>
  )
}

type LinkCellProps = { text: string; to: (text: string) => string; what: 'email' | 'phone'; reachable: boolean }

function LinkCell({ text, to, what, reachable }: LinkCellProps) {
  if (!text) return null
  const tabIndex = reachable ? 0 : -1
  return (
    <>
      <a href={to(text)} title={text} tabIndex={tabIndex}>
        {text}
      </a>
      <button
        type="button"
        className={classes['copy']}
        data-action={`copy-${what}`}
        aria-label={`Copy ${what}`}
        title={`Copy ${what}`}
        tabIndex={tabIndex}
      >
        <IconCopy size={14} stroke={1.75} aria-hidden />
      </button>
    </>
  )
}

/** Plain buttons: a Mantine button for each row and action makes scrolling stutter. */
function Actions({ contact, reachable }: CellProps) {
  const name = fullName(contact)
  const tabIndex = reachable ? 0 : -1
  return (
    <div className={classes['actions']}>
      <button type="button" data-action="edit" aria-label={`Edit ${name}`} title="Edit contact (E)" tabIndex={tabIndex}>
        <IconPencil size={16} stroke={1.75} aria-hidden />
      </button>
      <button type="button" data-action="delete" aria-label={`Delete ${name}`} title="Delete contact (Del)" tabIndex={tabIndex}>
        <IconTrash size={16} stroke={1.75} aria-hidden />
      </button>
      <button type="button" data-action="menu" aria-label={`More for ${name}`} aria-haspopup="menu" tabIndex={tabIndex}>
        <IconDots size={16} stroke={1.75} aria-hidden />
      </button>
    </div>
  )
}

import { Link } from '@tanstack/react-router'
import type { Pair } from '#contract/duplicates.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { formatFullName } from '../contactKind.tsx'
import classes from './PairList.module.css'

const groups = [
  { certainty: 'certain', title: 'Almost certain' },
  { certainty: 'likely', title: 'Likely' },
] as const

/** The likely pairs in two groups. Each pair shows the names of its contacts and why they are likely the same person. */
export const PairList = ({ pairs, openPair }: { pairs: readonly Pair[]; openPair: Pair | undefined }) => (
  <nav aria-label="Likely pairs">
    {groups.map(({ certainty, title }) => {
      const members = pairs.filter((pair) => pair.certainty === certainty)
      if (members.length === 0) return null
      return (
        <section key={certainty} className={classes['group']}>
          <h2>
            {title} <span>{members.length}</span>
          </h2>
          <ul>
            {members.map((pair) => (
              <PairItem key={`${pair.contact.id} ${pair.other.id}`} pair={pair} isOpen={pair === openPair} />
            ))}
          </ul>
        </section>
      )
    })}
  </nav>
)

function PairItem({ pair: { contact, other, why }, isOpen }: { pair: Pair; isOpen: boolean }) {
  const contacts = [contact, other]
  return (
    <li>
      <Link
        to="/crm/contacts/duplicates"
        search={{ contact: contact.id, other: other.id }}
        className={classes['pair']}
        aria-current={isOpen ? 'true' : undefined}
      >
        <Avatars contacts={contacts.map((each) => ({ id: each.id, name: formatFullName(each) }))} />
        <span className={classes['texts']}>
          {contacts.map((each) => (
            <span key={each.id} className={classes['name']} dir="auto" title={formatFullName(each)}>
              {formatFullName(each) || 'No name'}
            </span>
          ))}
          <span className={classes['why']} title={why}>
            {why}
          </span>
        </span>
      </Link>
    </li>
  )
}

/** Two avatars, one above the other. */
const Avatars = ({ contacts }: { contacts: readonly { id: string; name: string }[] }) => (
  <span className={classes['avatars']}>
    {contacts.map(({ id, name }) => (
      <Avatar key={id} id={id} name={name} size={20} />
    ))}
  </span>
)

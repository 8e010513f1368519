import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { count } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { RowSkeletons } from '#web/ui/RowSkeletons.tsx'
import { newestContacts } from './queries.ts'
import classes from './DashboardPage.module.css'

/** How many contacts there are, and who came last. */
export function ContactsTile({ total }: { total: { count: number; more: boolean } }) {
  const newest = useQuery(newestContacts)
  return (
    <section className={classes['tile']} aria-labelledby="contacts-tile">
      <div className={classes['tileHead']}>
        <h3 id="contacts-tile">Contacts</h3>
        <span className={classes['number']}>{count(total.count) + (total.more ? '+' : '')}</span>
        <Link to="/crm/contacts" className="link">
          All contacts
        </Link>
      </div>
      {newest.isPending && <RowSkeletons rows={6} columns={[120]} />}
      <ul>
        {newest.data?.rows.map(({ id, first_name, last_name, company, created_at }) => (
          <li key={id}>
            <Link to="/crm/contacts/$id" params={{ id }} className={classes['row']}>
              <Avatar id={id} name={`${first_name} ${last_name}`} />
              <span className={classes['name']}>{`${first_name} ${last_name}`}</span>
              <span className={classes['company']}>{company}</span>
              <span className={classes['when']}>
                <RelativeTime at={created_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { RecentMerge } from '#contract/duplicates.ts'
import { undoChange } from '#web/lib/undo.ts'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import classes from './PairList.module.css'

/** The merges of the last 30 days, each with a button that undoes the merge. */
export function RecentMerges({ merges }: { merges: readonly RecentMerge[] }) {
  if (merges.length === 0) return null
  return (
    <section className={classes['group']} aria-label="Merged in the last 30 days">
      <h2>
        Merged <span>{merges.length}</span>
      </h2>
      <ul>
        {merges.map(({ change, at, contact, other_name }) => (
          <li key={change} className={classes['merge']}>
            <span className={classes['texts']}>
              <span className={classes['name']} dir="auto">
                {contact.exists ? (
                  <Link className="link" to="/crm/contacts/$id" params={{ id: contact.id }}>
                    {contact.name}
                  </Link>
                ) : (
                  'Deleted contact'
                )}
              </span>
              <span className={classes['why']}>
                with {other_name || 'a contact without a name'}, <RelativeTime at={at} />
              </span>
            </span>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={`Un-merge ${contact.name}`}
              onClick={() => void undoChange(change, 'Contacts merged')}
            >
              Un-merge
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

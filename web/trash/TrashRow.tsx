import { Button } from '@mantine/core'
import type { TrashEntry } from '#contract/changes.ts'
import { countOf } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { daysLeft, kindOf } from './entries.ts'
import { useRestore } from './queries.ts'
import classes from './TrashPage.module.css'

/** One deleted record: what it was, since when it lies here, and for how long still. */
export function TrashRow({ entry, onErase }: { entry: TrashEntry; onErase: () => void }) {
  const restore = useRestore()
  const { id, title, table, deleted_at, expires_at } = entry
  return (
    <li className={classes['row']}>
      <Avatar id={id} name={title} />
      <div className={classes['what']}>
        <p className={classes['title']} title={title}>
          {title}
        </p>
        <p className={classes['facts']}>
          {kindOf(table)}, deleted <RelativeTime at={deleted_at} />
        </p>
      </div>
      <p className={classes['left']}>Gone in {countOf(daysLeft(expires_at), 'day')}</p>
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => restore.mutate(entry)}
        loading={restore.isPending}
        aria-label={`Restore ${title}`}
      >
        Restore
      </Button>
      <Button variant="subtle" size="compact-sm" onClick={onErase} aria-label={`Erase ${title} for good`}>
        Erase
      </Button>
    </li>
  )
}

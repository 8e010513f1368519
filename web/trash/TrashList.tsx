import { Fragment } from 'react'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { TrashEntry } from '#contract/changes.ts'
import { findKindByTable } from '#web/lib/features.ts'
import { capitalise, formatNumber, formatCount } from '#web/lib/format.ts'
import { undoChange } from '#web/lib/undo.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { useRestore } from './queries.ts'
import classes from './TrashPage.module.css'

type TrashListProps = { entries: readonly TrashEntry[]; hasMore: boolean; onErase: (entry: TrashEntry) => void }

/** The deleted records, grouped by the change that deleted them. `hasMore` is true when more entries can be loaded. */
export function TrashList({ entries, hasMore, onErase }: TrashListProps) {
  return (
    <ul>
      {groupByChange(entries, hasMore).map((group) => (
        <Fragment key={group.changeId}>
          {group.entries.length > 1 && <GroupHead group={group} />}
          {group.entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} onErase={() => onErase(entry)} />
          ))}
        </Fragment>
      ))}
    </ul>
  )
}

/** The records that one change deleted. `mayHaveMore` is true when some of these records may not be loaded yet. */
type Group = { changeId: string; entries: readonly [TrashEntry, ...TrashEntry[]]; mayHaveMore: boolean }

/** Groups the entries by the change that deleted them. Only the last group may have entries that are not loaded yet. */
function groupByChange(entries: readonly TrashEntry[], hasMore: boolean): Group[] {
  const lastChangeId = entries.at(-1)?.change
  const groups: Group[] = []
  for (const [changeId, [first, ...others]] of Map.groupBy(entries, (entry) => entry.change)) {
    if (first) groups.push({ changeId, entries: [first, ...others], mayHaveMore: hasMore && changeId === lastChangeId })
  }
  return groups
}

/** The row above records that were deleted together. Its button restores all of them. */
function GroupHead({ group: { changeId, entries, mayHaveMore } }: { group: Group }) {
  const [first] = entries
  const singular = formatKind(first.table).toLowerCase()
  const restore = useMutation({
    mutationFn: () => {
      const recordCount = `${formatCount(entries.length, singular)}${mayHaveMore ? ' and more' : ''}`
      return undoChange(changeId, `${recordCount} deleted`)
    },
  })
  return (
    <li className={classes['row']} data-head>
      <p className={classes['what']}>
        {mayHaveMore ? 'More than ' : ''}
        {formatCount(entries.length, singular)} deleted together <RelativeTime at={first.deleted_at} />
      </p>
      <Button variant="default" size="compact-sm" onClick={() => restore.mutate()} loading={restore.isPending}>
        Restore all {mayHaveMore ? 'of them' : formatNumber(entries.length)}
      </Button>
    </li>
  )
}

function EntryRow({ entry, onErase }: { entry: TrashEntry; onErase: () => void }) {
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
          {formatKind(table)}, deleted <RelativeTime at={deleted_at} />
        </p>
      </div>
      <p className={classes['left']}>Gone in {formatCount(countDaysLeft(expires_at), 'day')}</p>
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

const formatKind = (table: string): string => capitalise(findKindByTable(table)?.singular ?? 'record')

const dayMs = 86_400_000

/** Returns the number of whole days until a record is erased, at least 1. */
const countDaysLeft = (expiresAt: string): number => Math.max(1, Math.ceil((Date.parse(expiresAt) - Date.now()) / dayMs))

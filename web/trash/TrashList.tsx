import { Fragment, useRef } from 'react'
import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { TrashEntry } from '#contract/changes.ts'
import { findKindDisplayByTable, type KindDisplay } from '#web/lib/features.ts'
import { capitalise, formatNumber, formatCount } from '#web/lib/format.ts'
import { undoChange } from '#web/lib/undo.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { useFocusAfterRemoval } from '#web/ui/domHooks.ts'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { useRestore } from './queries.ts'
import classes from './TrashPage.module.css'

type TrashListProps = { entries: readonly TrashEntry[]; hasMore: boolean; onErase: (entry: TrashEntry) => void }

/** The deleted records, grouped by the change that deleted them. `hasMore` is true when more entries can be loaded. */
export function TrashList({ entries, hasMore, onErase }: TrashListProps) {
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list)
  return (
    <ul ref={list}>
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
  const counts = formatCountsByKind(entries)
  const restore = useMutation({
    mutationFn: () => undoChange(changeId, `${counts}${mayHaveMore ? ' and more' : ''} deleted`),
  })
  return (
    <li className={classes['row']} data-head>
      <p className={classes['what']}>
        {mayHaveMore ? 'More than ' : ''}
        {counts} deleted together <RelativeTime at={first.deleted_at} />
      </p>
      <Button variant="default" size="compact-sm" onClick={() => restore.mutate()} loading={restore.isPending}>
        Restore all {mayHaveMore ? 'of them' : formatNumber(entries.length)}
      </Button>
    </li>
  )
}

function EntryRow({ entry, onErase }: { entry: TrashEntry; onErase: () => void }) {
  const restore = useRestore()
  const { title, deleted_at, expires_at } = entry
  return (
    <li className={classes['row']}>
      <EntryPicture entry={entry} />
      <div className={classes['what']}>
        <p className={classes['title']} title={title}>
          {title}
        </p>
        <p className={classes['facts']}>
          {describeKindAndParent(entry)}, deleted <RelativeTime at={deleted_at} />
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

/** Shows the initials of a contact or a company, else the icon of the record kind. */
function EntryPicture({ entry: { id, table, title } }: { entry: TrashEntry }) {
  const { shape, icon: Icon = IconHistory }: Partial<KindDisplay> = findKindDisplayByTable(table) ?? {}
  if (shape) return <Avatar id={id} name={title} shape={shape} />
  return (
    <span className={classes['icon']} aria-hidden>
      <Icon size={18} stroke={1.75} />
    </span>
  )
}

/** Returns "File in Offers", "Note of Ada Lovelace" or "Contact". */
function describeKindAndParent({ table, parent }: TrashEntry): string {
  const kind = capitalise(findKindDisplayByTable(table)?.singular ?? 'record')
  return parent?.title ? `${kind} ${findKindDisplayByTable(parent.table)?.preposition ?? 'of'} ${parent.title}` : kind
}

/** Returns "3 contacts", or "2 folders and 1 file" for records of several kinds. */
function formatCountsByKind(entries: readonly TrashEntry[]): string {
  const counts = [...Map.groupBy(entries, ({ table }) => table)].map(([table, { length }]) => {
    const { singular, plural }: Partial<KindDisplay> = findKindDisplayByTable(table) ?? {}
    return formatCount(length, singular ?? 'record', plural)
  })
  return new Intl.ListFormat('en-GB').format(counts)
}

const dayMs = 86_400_000

/** Returns the number of whole days until a record is erased, at least 1. */
const countDaysLeft = (expiresAt: string): number => Math.max(1, Math.ceil((Date.parse(expiresAt) - Date.now()) / dayMs))

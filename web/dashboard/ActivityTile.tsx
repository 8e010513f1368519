import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RecentChange } from '#contract/changes.ts'
import { findKindDisplayByTable, type KindDisplay } from '#web/lib/features.ts'
import { capitalise } from '#web/lib/format.ts'
import { useSession } from '#web/lib/session.ts'
import { formatActor } from '#web/lib/actors.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import classes from './ActivityTile.module.css'
import { recentChangesQuery } from './queries.ts'
import { Tile } from './Tile.tsx'
import tile from './Tile.module.css'

/** Lists the latest changes with actor and record. */
export function ActivityTile() {
  return (
    <Tile title="Recent activity" query={useQuery(recentChangesQuery)} layout="double lines">
      {({ rows }) =>
        rows.length > 0 ? (
          <ul>
            {rows.map((change) => (
              <ChangeRow key={change.change} change={change} />
            ))}
          </ul>
        ) : (
          <p className={tile['nothing']}>What happens in your workspace shows here.</p>
        )
      }
    </Tile>
  )
}

function ChangeRow({ change }: { change: RecentChange }) {
  const userId = useSession().user.id
  const title = isChangeOfOneRecord(change) ? change.title : ''
  const address = title && getAddress(change)
  const describedColumns = title === '' ? undefined : describeColumns(change)
  const [wordsBefore, wordsAfter] = describedColumns ?? [describeChange(change), '']
  return (
    <li className={classes['line']}>
      <ChangeIcon change={change} title={title} />
      <span className={classes['text']} title={title}>
        {capitalise(formatActor(change, userId))} {wordsBefore} {address ? <Link to={address}>{title}</Link> : <b>{title}</b>}
        {wordsAfter && ` ${wordsAfter}`}
      </span>
      <span className={classes['when']}>
        <RelativeTime at={change.at} />
      </span>
    </li>
  )
}

/** Shows the initials of a changed contact or company, else the icon of the record kind. */
function ChangeIcon({ change, title }: { change: RecentChange; title: string }) {
  const { shape, icon: Icon = IconHistory }: Partial<KindDisplay> = findKindDisplayByTable(change.table) ?? {}
  if (title && shape) return <Avatar id={change.id ?? change.change} name={title} shape={shape} />
  return (
    <span className={classes['picture']} aria-hidden>
      <Icon size={14} stroke={1.75} />
    </span>
  )
}

/** Returns the address of the changed record; undefined when it is deleted or has no page. */
function getAddress(change: RecentChange): string | undefined {
  return change.exists && change.id !== null ? findKindDisplayByTable(change.table)?.addressOf({ id: change.id }) : undefined
}

/** Returns false for changes of several records: "Deleted 12 contacts", "Updated contacts". */
function isChangeOfOneRecord(change: RecentChange): boolean {
  const plural = findKindDisplayByTable(change.table)?.plural
  const hasNumberAboveOne = / ([2-9]|\d.*\d) /.test(change.label) // " 2 ", " 12 ", " 1,200 "
  const endsWithPlural = plural !== undefined && change.label.endsWith(` ${plural}`)
  return !hasNumberAboveOne && !endsWithPlural
}

/**
 * Describes an update in the words before and after the title of the record: "moved" and "to Proposal". Returns undefined for other
 * changes, and for columns that the kind does not describe.
 */
function describeColumns({ table, reversal, columns }: RecentChange): [wordsBefore: string, wordsAfter: string] | undefined {
  if (reversal) return undefined
  const kindDisplay = findKindDisplayByTable(table)
  const description = columns.map((column) => kindDisplay?.describeChange?.(column)).find((text) => text !== undefined)
  if (description === undefined) return undefined
  const [firstWord = '', ...otherWords] = description.split(' ') // the first word is a verb: "moved" in "moved to Proposal"
  return [firstWord, otherWords.join(' ')]
}

/** Formats a change as part of a sentence: "updated contact", "undid: deleted deal". */
function describeChange({ label, reversal, progress }: RecentChange): string {
  const progressText = progress && !progress.finished ? ` (${formatProgress(progress)})` : ''
  const labelWithoutPrefix = label.replace(/^(Undone|Redone): /, '')
  const labelWithoutOne = labelWithoutPrefix.replace(/ 1 /, ' ') // "Deleted 1 contact" becomes "Deleted contact"
  const text = uncapitalise(labelWithoutOne) + progressText
  if (reversal === 'undo') return `undid: ${text}`
  return reversal === 'redo' ? `redid: ${text}` : text
}

/** Formats progress as "3 of 12", or "3 done" when the total is unknown. */
const formatProgress = ({ done, total }: NonNullable<RecentChange['progress']>): string =>
  total === null ? `${done} done` : `${done} of ${total}`

const uncapitalise = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

import { Button } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery, infiniteQueryOptions } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { changeRoutes, type TimelineEntry } from '#contract/changes.ts'
import { call, isNotFound } from '#web/lib/client.ts'
import { findKindDisplay, findKindDisplayByTable, type Icon } from '#web/lib/features.ts'
import { capitalise } from '#web/lib/format.ts'
import { useSession } from '#web/lib/session.ts'
import { describeError } from '#web/lib/toasts.ts'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { formatActor } from '#web/lib/actors.ts'
import { describeEntry, describeLinkedEntry, isLinked, type TimelineKind } from './timelineText.ts'
import classes from './Timeline.module.css'
import { everyTable } from '#web/lib/queries.ts'

type TimelineProps = {
  kind: TimelineKind
  recordId: string
  /** The icon of "Contact created"; the icon of the kind by default. */
  createdIcon?: Icon
}

/** The changes of a record and of the records linked to it, newest first, as a section of a page. */
export const Timeline = (props: TimelineProps) => (
  <aside className={classes['frame']} aria-labelledby="timeline">
    <h2 id="timeline">Timeline</h2>
    <TimelineEntries {...props} />
  </aside>
)

/** The entries of the timeline without the heading and the frame. */
export function TimelineEntries({ kind, recordId, createdIcon = findKindDisplay(kind.singular)?.icon ?? IconPlus }: TimelineProps) {
  const timeline = useInfiniteQuery(timelinePages(recordId))
  const entries = timeline.data?.pages.flatMap(({ rows }) => rows) ?? []
  const isMissing = isNotFound(timeline.error)
  const loadError = isMissing ? null : timeline.error // the page itself says that the record is missing
  return (
    <div className={classes['timeline']}>
      <ol>
        {entries.map((entry) => (
          <Entry key={getEntryKey(entry)} entry={entry} recordId={recordId} kind={kind} createdIcon={createdIcon} />
        ))}
      </ol>
      {timeline.isPending && <TimelineSkeleton />}
      {loadError && (
        <p className={classes['failed']} role="alert">
          The timeline could not be loaded. {describeError(loadError)}
        </p>
      )}
      {(timeline.hasNextPage || loadError) && (
        <Button
          variant="default"
          loading={timeline.isFetching}
          onClick={() => void (timeline.hasNextPage ? timeline.fetchNextPage() : timeline.refetch())}
        >
          {timeline.error ? 'Try again' : 'Load more'}
        </Button>
      )}
    </div>
  )
}

/** Returns the React key of an entry. A change can have several entries, for example for several linked records. */
const getEntryKey = ({ change, operation, columns, linked }: TimelineEntry): string =>
  [change, operation, linked?.id, ...columns.map(({ name }) => name)].join(' ')

/** A change in the timeline: its icon, what was changed, who changed it and when. */
function Entry({ entry, recordId, kind, createdIcon }: Required<TimelineProps> & { entry: TimelineEntry }) {
  const userId = useSession().user.id
  const actor = formatActor(entry, userId)
  const lines = isLinked(entry) ? describeLinkedEntry(entry, recordId) : describeEntry(kind, entry)
  return (
    <li>
      <span className={classes['icon']}>
        <EntryIcon entry={entry} createdIcon={createdIcon} />
      </span>
      <div className={classes['lines']}>
        {lines.map(({ text, value, href }) => (
          <p key={text}>
            {text} {value && <b>{href ? <Link to={href}>{value}</Link> : value}</b>}
          </p>
        ))}
        <p className={classes['actorAndTime']}>
          {capitalise(actor)} · <RelativeTime at={entry.at} />
        </p>
      </div>
    </li>
  )
}

type EntryIconProps = { entry: TimelineEntry; createdIcon: Icon }

/** The icon of a change. An entry with a `reversal` was made by an undo, a redo or a restore. */
function EntryIcon({ entry: { operation, reversal, linked, table }, createdIcon }: EntryIconProps) {
  const iconProps = { size: 14, stroke: 1.75, 'aria-hidden': true }
  if (reversal === 'redo') return <IconArrowForwardUp {...iconProps} />
  if (reversal) return <IconArrowBackUp {...iconProps} />
  if (operation === 'deleted') return <IconTrash {...iconProps} />
  const KindIcon = linked ? findKindDisplayByTable(table)?.icon : operation === 'created' && createdIcon
  return KindIcon ? <KindIcon {...iconProps} /> : <IconPencil {...iconProps} />
}

const TimelineSkeleton = () => (
  <output className={classes['waiting']} aria-label="Loading">
    {[0.7, 0.5, 0.8].map((width) => (
      <span key={width} style={{ width: `${width * 100}%` }} />
    ))}
  </output>
)

/** Loads the timeline of a record page by page. */
export const timelinePages = (recordId: string) =>
  infiniteQueryOptions({
    queryKey: ['timeline', recordId],
    meta: { tables: [everyTable] }, // any change may concern the record, so each one refetches the query
    queryFn: ({ pageParam, signal }) =>
      call(changeRoutes.timeline, { query: { record: recordId, limit: 20, after: pageParam } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  })

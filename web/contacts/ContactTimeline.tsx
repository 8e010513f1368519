import { Button } from '@mantine/core'
import { IconArrowBackUp, IconPencil, IconTrash, IconUserPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { TimelineEntry } from '#contract/changes.ts'
import { ProblemError } from '#web/lib/client.ts'
import { useSession } from '#web/lib/session.ts'
import { sentenceOf } from '#web/lib/toasts.ts'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { actorInWords } from './actors.ts'
import classes from './ContactTimeline.module.css'
import { contactTimeline } from './queries.ts'
import { timelineWords } from './timelineWords.ts'

/** What happened to a contact, newest first. */
export function ContactTimeline({ id }: { id: string }) {
  const timeline = useInfiniteQuery(contactTimeline(id))
  const entries = timeline.data?.pages.flatMap(({ rows }) => rows) ?? []
  const nothing = timeline.error instanceof ProblemError && timeline.error.problem.code === 'not_found'
  return (
    <aside className={classes['timeline']} aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <ol>
        {entries.map((entry) => (
          <Entry key={`${entry.change} ${entry.operation} ${entry.columns.map(({ name }) => name).join(' ')}`} entry={entry} />
        ))}
      </ol>
      {timeline.isPending && <Waiting />}
      {timeline.error && !nothing && (
        <p className={classes['failed']} role="alert">
          The timeline could not be loaded. {sentenceOf(timeline.error)}
        </p>
      )}
      {(timeline.hasNextPage || (timeline.error && !nothing)) && (
        <Button
          variant="default"
          loading={timeline.isFetching}
          onClick={() => void (timeline.hasNextPage ? timeline.fetchNextPage() : timeline.refetch())}
        >
          {timeline.error ? 'Try again' : 'Load more'}
        </Button>
      )}
    </aside>
  )
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const userId = useSession().user.id
  const who = actorInWords(entry.actor, userId)
  return (
    <li>
      <span className={classes['icon']}>
        <EntryIcon entry={entry} />
      </span>
      <div className={classes['words']}>
        {timelineWords(entry).map(({ words, value }) => (
          <p key={words}>
            {words} {value && <b>{value}</b>}
          </p>
        ))}
        <p className={classes['when']}>
          {who[0]?.toUpperCase()}
          {who.slice(1)} · <RelativeTime at={entry.at} />
        </p>
      </div>
    </li>
  )
}

function EntryIcon({ entry: { operation, label } }: { entry: TimelineEntry }) {
  const look = { size: 14, stroke: 1.75, 'aria-hidden': true }
  if (label === 'Undone' || label === 'Restored') return <IconArrowBackUp {...look} />
  if (operation === 'created') return <IconUserPlus {...look} />
  return operation === 'deleted' ? <IconTrash {...look} /> : <IconPencil {...look} />
}

const Waiting = () => (
  <output className={classes['waiting']} aria-label="Loading">
    {[0.7, 0.5, 0.8].map((width) => (
      <span key={width} style={{ width: `${width * 100}%` }} />
    ))}
  </output>
)

import { useState } from 'react'
import { Button, NativeSelect } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { WebhookDelivery, WebhookEndpoint } from '#contract/webhooks.ts'
import { formatCount, formatExactTime } from '#web/lib/format.ts'
import { describeError } from '#web/lib/toasts.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { SettingsSection } from '#web/ui/SettingsSection.tsx'
import { deliveriesQuery, type StatusFilter, type useEndpointActions } from './queries.ts'
import settings from '#web/ui/settings.module.css'
import classes from './Webhooks.module.css'

type Actions = ReturnType<typeof useEndpointActions>

const filters = [
  { value: '', label: 'All deliveries' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
]
const toFilter = (value: string): StatusFilter => (value === 'waiting' || value === 'delivered' || value === 'failed' ? value : undefined)

/** The deliveries of an endpoint, newest first. Each can be sent again, or tried at once while it waits. */
export function DeliveryLog({ endpoint, actions }: { endpoint: WebhookEndpoint; actions: Actions }) {
  const [filter, setFilter] = useState('')
  const log = useInfiniteQuery(deliveriesQuery(endpoint.id, toFilter(filter)))
  const rows = log.data?.pages.flatMap((page) => page.rows)
  return (
    <SettingsSection
      title="Deliveries"
      actions={
        <>
          {endpoint.failed > 0 && (
            <Button variant="default" onClick={() => actions.replayFailed.mutate()} loading={actions.replayFailed.isPending}>
              Send failed again
            </Button>
          )}
          <NativeSelect aria-label="Show" data={filters} value={filter} onChange={({ currentTarget }) => setFilter(currentTarget.value)} />
        </>
      }
    >
      {log.isPending && <ListSkeleton rows={4} height={56} columns={[]} />}
      {log.isError && !rows && (
        <FailedState
          title="The deliveries could not be loaded"
          reason={describeError(log.error)}
          onRetry={() => void log.refetch()}
          isRetrying={log.isFetching}
        />
      )}
      {rows?.length === 0 && (
        <p className={settings['text']}>
          {filter === '' ? 'Nothing was sent yet. Changes are sent a few seconds after they are made.' : 'No such deliveries.'}
        </p>
      )}
      <ul className={settings['rows']}>
        {rows?.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} replay={actions.replay} />
        ))}
      </ul>
      {log.hasNextPage && (
        <div className={settings['actions']}>
          <Button variant="default" onClick={() => void log.fetchNextPage()} loading={log.isFetchingNextPage}>
            Show more
          </Button>
        </div>
      )}
    </SettingsSection>
  )
}

const badges = {
  waiting: { label: 'Waiting', colour: 'var(--f-warning)', dot: 'half' },
  delivered: { label: 'Delivered', colour: 'var(--f-success)', dot: 'full' },
  failed: { label: 'Failed', colour: 'var(--f-danger)', dot: 'full' },
} as const

function DeliveryRow({ delivery, replay }: { delivery: WebhookDelivery; replay: Actions['replay'] }) {
  const { id, event, status, created_at, attempts, earlier, problem, response_status, duration_ms } = delivery
  const label = status === 'waiting' ? 'Try now' : 'Send again'
  return (
    <li className={settings['row']}>
      <div className={settings['what']}>
        <p className={classes['title']}>
          <code className={classes['event']}>{event}</code>
          <Badge {...badges[status]} />
        </p>
        <p className={settings['facts']}>
          <RelativeTime at={created_at} />
          {attempts > 0 && <span>{formatCount(attempts, 'attempt')}</span>}
          {problem === null && response_status !== null && <span>status {response_status}</span>}
          {duration_ms !== null && <span>{duration_ms} ms</span>}
          {problem !== null && <span>{problem}</span>}
          {status === 'waiting' && attempts > 0 && <span>will be sent again</span>}
        </p>
        {earlier && (
          <p className={settings['facts']}>
            <span>before it was sent again: {formatCount(earlier.attempts, 'attempt')}</span>
            {earlier.problem !== null && <span>{earlier.problem}</span>}
          </p>
        )}
        <p className={classes['id']}>{id}</p>
      </div>
      <Button
        variant="subtle"
        onClick={() => replay.mutate(id)}
        loading={replay.isPending && replay.variables === id}
        aria-label={`${label}: ${event} of ${formatExactTime(created_at)}`}
      >
        {label}
      </Button>
    </li>
  )
}

import { Link } from '@tanstack/react-router'
import { IconWebhook } from '@tabler/icons-react'
import { everyEvent, type WebhookEndpoint } from '#contract/webhooks.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import settings from '#web/ui/settings.module.css'

/** An endpoint in the list. */
export function EndpointRow({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, url, description } = endpoint
  return (
    <li className={settings['row']}>
      <IconWebhook size={20} stroke={1.6} aria-hidden />
      <div className={settings['what']}>
        <p className={settings['name']}>
          <Link to="/api-keys/webhooks/$id" params={{ id }} title={url} dir="auto">
            {description || url}
          </Link>
          <EndpointBadge endpoint={endpoint} />
        </p>
        <EndpointFacts endpoint={endpoint} showsAddress={description !== ''} />
      </div>
    </li>
  )
}

/** Shows whether an endpoint is active and whether its deliveries fail. */
export function EndpointBadge({ endpoint: { is_active, problem } }: { endpoint: WebhookEndpoint }) {
  if (!is_active) return <Badge label="Off" colour="var(--f-text-3)" dot="ring" />
  if (problem !== null) return <Badge label="Failing" colour="var(--f-danger)" dot="half" />
  return <Badge label="Active" colour="var(--f-success)" />
}

type EndpointFactsProps = { endpoint: WebhookEndpoint; showsAddress: boolean }

/** The address, the events and the delivery counts of an endpoint in one line. `showsAddress` is false if the address is above the line. */
export const EndpointFacts = ({ endpoint: { url, events, last_success_at, waiting, failed }, showsAddress }: EndpointFactsProps) => (
  <p className={settings['facts']}>
    {showsAddress && <span>{url}</span>}
    <span>{events.includes(everyEvent) ? 'all events' : `${events.length} ${events.length === 1 ? 'event' : 'events'}`}</span>
    {waiting > 0 && <span>{formatLimitedCount(waiting)} waiting</span>}
    {failed > 0 && <span>{formatLimitedCount(failed)} failed</span>}
    <span>
      {last_success_at ? (
        <>
          last delivered <RelativeTime at={last_success_at} />
        </>
      ) : (
        'nothing delivered yet'
      )}
    </span>
  </p>
)

/** The server counts at most 1,000. */
const formatLimitedCount = (count: number): string => (count >= 1000 ? '1,000+' : String(count))

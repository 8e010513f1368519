import { useState } from 'react'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { WebhookEndpoint } from '#contract/webhooks.ts'
import { describeError } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { SettingsProblem } from '#web/ui/SettingsSection.tsx'
import { DeleteEndpointDialog } from './DeleteEndpointDialog.tsx'
import { DeliveryLog } from './DeliveryLog.tsx'
import { EndpointBadge, EndpointFacts } from './EndpointRow.tsx'
import { NewSecret } from './NewSecret.tsx'
import { endpointQuery, useEndpointActions, useNewSecrets } from './queries.ts'
import settings from '#web/ui/settings.module.css'

/** The page of an endpoint with the log of its deliveries. */
export function WebhookPage() {
  const { id } = useParams({ from: '/signed-in/api-keys/webhooks/$id' })
  const endpoint = useQuery(endpointQuery(id))
  return (
    <>
      <PageBar
        title={endpoint.data ? endpoint.data.description || new URL(endpoint.data.url).host : 'Webhook'}
        breadcrumb={[
          <Link key="keys" to="/api-keys">
            API Keys
          </Link>,
          <Link key="webhooks" to="/api-keys/webhooks">
            Webhooks
          </Link>,
        ]}
      />
      <div className={settings['body']}>
        {endpoint.isPending && <ListSkeleton rows={3} height={64} columns={[]} />}
        {endpoint.isError && !endpoint.data && (
          <FailedState
            title="This webhook could not be loaded"
            reason={describeError(endpoint.error)}
            onRetry={() => void endpoint.refetch()}
            isRetrying={endpoint.isFetching}
          />
        )}
        {endpoint.data && <Endpoint endpoint={endpoint.data} />}
      </div>
    </>
  )
}

function Endpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, is_active, problem, next_attempt_at, failing_since, failed } = endpoint
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const newSecrets = useNewSecrets()
  const secret = newSecrets.secrets.find((each) => each.id === id)?.secret
  const actions = useEndpointActions(endpoint)
  return (
    <>
      <EndpointBadge endpoint={endpoint} />
      <EndpointFacts endpoint={endpoint} showsAddress />
      {problem !== null && (
        <SettingsProblem>
          {problem}
          {failing_since !== null && (
            <>
              {' '}
              The first failure was <RelativeTime at={failing_since} />, and no delivery was accepted since.
            </>
          )}
          {next_attempt_at !== null && (
            <>
              {' '}
              Next attempt due: <RelativeTime at={next_attempt_at} isPlanned />. Each delivery is tried for three days.
            </>
          )}
        </SettingsProblem>
      )}
      {failed > 0 && (
        <SettingsProblem>
          {describeFailed(failed)} failed and will not be tried any more. The log below shows why. When the cause is gone, send again there.
        </SettingsProblem>
      )}
      {secret !== undefined && <NewSecret key={secret} secret={secret} onSaved={() => newSecrets.forget(id)} />}
      <div className={settings['actions']}>
        {is_active && (
          <Button onClick={() => actions.test.mutate()} loading={actions.test.isPending}>
            Send test
          </Button>
        )}
        <Button
          variant={is_active ? 'default' : 'filled'}
          onClick={() => actions.change.mutate({ is_active: !is_active })}
          loading={actions.change.isPending}
        >
          {is_active ? 'Turn off' : 'Turn on'}
        </Button>
        <Button variant="default" onClick={() => actions.replaceSecret.mutate()} loading={actions.replaceSecret.isPending}>
          Replace secret
        </Button>
        <Button variant="subtle" color="red" onClick={() => setDeleting(true)}>
          Delete
        </Button>
      </div>
      <DeliveryLog endpoint={endpoint} actions={actions} />
      {isDeleting && (
        <DeleteEndpointDialog
          isDeleting={actions.remove.isPending}
          onDelete={() => actions.remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/api-keys/webhooks' }) })}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}

/** The server counts at most 1,000. */
const describeFailed = (failed: number): string =>
  failed === 1 ? 'One delivery has' : `${failed >= 1000 ? '1,000 or more' : failed} deliveries have`

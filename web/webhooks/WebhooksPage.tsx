import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { describeError } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { SettingsSection } from '#web/ui/SettingsSection.tsx'
import { EndpointForm } from './EndpointForm.tsx'
import { EndpointRow } from './EndpointRow.tsx'
import { NewSecret } from './NewSecret.tsx'
import { endpointsQuery, useNewSecrets } from './queries.ts'
import settings from '#web/ui/settings.module.css'

/** The page of the webhook endpoints. */
export function WebhooksPage() {
  const endpoints = useQuery(endpointsQuery)
  const newSecrets = useNewSecrets()
  const rows = endpoints.data?.rows
  return (
    <>
      <PageBar
        title="Webhooks"
        breadcrumb={[
          <Link key="keys" to="/api-keys">
            API Keys
          </Link>,
        ]}
      />
      <div className={settings['body']}>
        <p className={settings['intro']}>
          Foyer tells your other programs what changes here: it sends each new, edited or deleted record to an address of yours within
          seconds, signed, and again until it arrives.
        </p>
        {newSecrets.secrets.map(({ id, url, secret }) => (
          <NewSecret key={id} secret={secret} address={url} onSaved={() => newSecrets.forget(id)} />
        ))}
        <SettingsSection title="Endpoints">
          {endpoints.isPending && <ListSkeleton rows={2} height={64} columns={[]} />}
          {endpoints.isError && !rows && (
            <FailedState
              title="The webhooks could not be loaded"
              reason={describeError(endpoints.error)}
              onRetry={() => void endpoints.refetch()}
              isRetrying={endpoints.isFetching}
            />
          )}
          {rows?.length === 0 && <p className={settings['text']}>No endpoints yet. Add the address of the program that should know.</p>}
          {rows && rows.length > 0 && (
            <ul className={settings['rows']}>
              {rows.map((endpoint) => (
                <EndpointRow key={endpoint.id} endpoint={endpoint} />
              ))}
            </ul>
          )}
        </SettingsSection>
        <SettingsSection title="Add endpoint">
          {/* while a new secret is shown, the primary action is to save it */}
          <EndpointForm isPrimary={newSecrets.secrets.length === 0} onAdded={newSecrets.add} />
        </SettingsSection>
      </div>
    </>
  )
}

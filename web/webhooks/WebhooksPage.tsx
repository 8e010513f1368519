import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { describeError } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { EndpointForm } from './EndpointForm.tsx'
import { EndpointRow } from './EndpointRow.tsx'
import { NewSecret } from './NewSecret.tsx'
import { endpointsQuery } from './queries.ts'
import classes from './Webhooks.module.css'

/** The page of the webhook endpoints. */
export function WebhooksPage() {
  const endpoints = useQuery(endpointsQuery)
  const [secret, setSecret] = useState<string>()
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
      <div className={classes['body']}>
        <p className={classes['intro']}>
          Foyer tells your other programs what changes here: it sends each new, edited or deleted record to an address of yours within
          seconds, signed, and again until it arrives.
        </p>
        {secret !== undefined && <NewSecret key={secret} secret={secret} onSaved={() => setSecret(undefined)} />}
        <section className={classes['section']} aria-labelledby="endpoints">
          <h2 className={classes['head']} id="endpoints">
            Endpoints
          </h2>
          {endpoints.isPending && <ListSkeleton rows={2} height={64} columns={[]} />}
          {endpoints.isError && !rows && (
            <FailedState
              title="The webhooks could not be loaded"
              reason={describeError(endpoints.error)}
              onRetry={() => void endpoints.refetch()}
              isRetrying={endpoints.isFetching}
            />
          )}
          {rows?.length === 0 && <p className={classes['text']}>No endpoints yet. Add the address of the program that should know.</p>}
          {rows && rows.length > 0 && (
            <ul className={classes['rows']}>
              {rows.map((endpoint) => (
                <EndpointRow key={endpoint.id} endpoint={endpoint} />
              ))}
            </ul>
          )}
        </section>
        <section className={classes['section']} aria-labelledby="add-endpoint">
          <h2 className={classes['head']} id="add-endpoint">
            Add endpoint
          </h2>
          <EndpointForm isPrimary={secret === undefined} onAdded={setSecret} />
        </section>
      </div>
    </>
  )
}

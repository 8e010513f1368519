import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { describeError } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { CreatedKeyCard } from './CreatedKeyCard.tsx'
import { KeyForm } from './KeyForm.tsx'
import { KeyList } from './KeyList.tsx'
import { apiKeysQuery, createdKeyQuery } from './queries.ts'
import { UsageInstructions } from './UsageInstructions.tsx'
import classes from './ApiKeysPage.module.css'

/** The page of the API keys: create, list and delete them, and how to use them. */
export function ApiKeysPage() {
  const keys = useQuery(apiKeysQuery)
  const { data: created } = useQuery(createdKeyQuery)
  const rows = keys.data?.rows
  return (
    <>
      <PageBar title="API Keys" />
      <div className={classes['body']}>
        <p className={classes['intro']}>
          With an API key another program works in your workspace: a website that sends you leads, a script, or an assistant.
        </p>
        {created && <CreatedKeyCard key={created.id} created={created} />}
        <section className={classes['section']} aria-labelledby="create-key">
          <h2 className={classes['head']} id="create-key">
            Create API key
          </h2>
          <KeyForm isPrimary={!created} />
        </section>
        <section className={classes['section']} aria-labelledby="your-keys">
          <h2 className={classes['head']} id="your-keys">
            Your API keys
          </h2>
          {keys.isPending && <ListSkeleton rows={2} height={64} columns={[]} />}
          {keys.isError && !rows && (
            <FailedState
              title="Failed to fetch API keys"
              reason={describeError(keys.error)}
              onRetry={() => void keys.refetch()}
              isRetrying={keys.isFetching}
            />
          )}
          {rows?.length === 0 && <p className={classes['text']}>No API keys yet. Create one above for each program that uses it.</p>}
          {rows && rows.length > 0 && <KeyList rows={rows} />}
        </section>
        <UsageInstructions />
        <section className={classes['section']} aria-labelledby="webhooks">
          <h2 className={classes['head']} id="webhooks">
            Webhooks
          </h2>
          <p className={classes['text']}>
            Foyer can also tell your programs what changes here. <Link to="/api-keys/webhooks">Manage webhooks</Link>
          </p>
        </section>
      </div>
    </>
  )
}

import { useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import { describeError } from '#web/lib/toasts.ts'
import { useFocusAfterRemoval } from '#web/ui/domHooks.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { SettingsSection } from '#web/ui/SettingsSection.tsx'
import { ConnectionCard } from './ConnectionCard.tsx'
import { ConnectionForm } from './ConnectionForm.tsx'
import { connectionsQuery, useSyncToasts } from './queries.ts'
import settings from '#web/ui/settings.module.css'
import classes from './CrmPage.module.css'

/** The page of the connections to other CRMs. */
export function CrmPage() {
  const connections = useQuery(connectionsQuery)
  const rows = connections.data?.rows
  useSyncToasts(rows)
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list)
  return (
    <>
      <PageBar title="CRM Integration" />
      <div className={settings['body']} data-line>
        <p className={settings['intro']}>
          Copy your contacts from Insightly, and fetch what changes there for as long as you use both. Foyer only reads: nothing there is
          changed or deleted.
        </p>
        <SettingsSection title="Connections">
          {connections.isPending && <ListSkeleton rows={2} height={72} columns={[]} />}
          {connections.isError && !rows && (
            <FailedState
              title="The connections could not be loaded"
              reason={describeError(connections.error)}
              onRetry={() => void connections.refetch()}
              isRetrying={connections.isFetching}
            />
          )}
          {rows?.length === 0 && (
            <p className={settings['text']}>
              No CRM is connected yet. Add one below; its contacts arrive with the first sync, and every sync can be undone.
            </p>
          )}
          {rows && rows.length > 0 && (
            <ul ref={list} className={classes['cards']}>
              {rows.map((connection) => (
                <ConnectionCard key={connection.id} connection={connection} />
              ))}
            </ul>
          )}
        </SettingsSection>
        <SettingsSection title="Add connection">
          <p className={settings['text']}>You find the API key and the API URL in Insightly under User Settings, API.</p>
          <ConnectionForm isFirst={rows?.length === 0} />
        </SettingsSection>
      </div>
    </>
  )
}

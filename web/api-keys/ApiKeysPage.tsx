import { useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { describeError } from '#web/lib/toasts.ts'
import { useFocusAfterRemoval } from '#web/ui/domHooks.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { SettingsSection } from '#web/ui/SettingsSection.tsx'
import { CreatedKeyCard } from './CreatedKeyCard.tsx'
import { KeyForm } from './KeyForm.tsx'
import { KeyList } from './KeyList.tsx'
import { apiKeysQuery, createdKeysQuery } from './queries.ts'
import { UsageInstructions } from './UsageInstructions.tsx'
import settings from '#web/ui/settings.module.css'

/** The page of the API keys: create, list and delete them, and how to use them. */
export function ApiKeysPage() {
  const keys = useQuery(apiKeysQuery)
  const { data: created = [] } = useQuery(createdKeysQuery)
  const rows = keys.data?.rows
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list)
  return (
    <>
      <PageBar title="API Keys" />
      <div className={settings['body']} data-line>
        <p className={settings['intro']}>
          With an API key another program works in your workspace: a website that sends you leads, a script, or an assistant.
        </p>
        {created.map((each) => (
          <CreatedKeyCard key={each.id} created={each} />
        ))}
        <SettingsSection title="Create API key">
          {/* while a new key is shown, the primary action is to save it */}
          <KeyForm isPrimary={created.length === 0} />
        </SettingsSection>
        <SettingsSection title="Your API keys">
          {keys.isPending && <ListSkeleton rows={2} height={64} columns={[]} />}
          {keys.isError && !rows && (
            <FailedState
              title="Failed to fetch API keys"
              reason={describeError(keys.error)}
              onRetry={() => void keys.refetch()}
              isRetrying={keys.isFetching}
            />
          )}
          {rows?.length === 0 && <p className={settings['text']}>No API keys yet. Create one above for each program that uses it.</p>}
          {rows && rows.length > 0 && <KeyList rows={rows} listRef={list} />}
        </SettingsSection>
        <UsageInstructions />
        <SettingsSection title="Webhooks">
          <p className={settings['text']}>
            Foyer can also tell your programs what changes here. <Link to="/api-keys/webhooks">Manage webhooks</Link>. The mails that it
            sends are in the <Link to="/account/outbox">outbox</Link>.
          </p>
        </SettingsSection>
      </div>
    </>
  )
}

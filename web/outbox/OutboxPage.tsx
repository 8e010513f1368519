import { useState } from 'react'
import { Button, NativeSelect } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { OutboxMail } from '#contract/outbox.ts'
import { describeError } from '#web/lib/toasts.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { SettingsProblem, SettingsSection } from '#web/ui/SettingsSection.tsx'
import settings from '#web/ui/settings.module.css'
import { MailRow } from './MailRow.tsx'
import { mailsQuery, useMailActions } from './queries.ts'
import { findState, stateFilters } from './states.ts'

/** The page of all mails to visitors and to the user: sent, waiting and failed. */
export function OutboxPage() {
  const [state, setState] = useState<OutboxMail['state']>()
  const mails = useInfiniteQuery(mailsQuery(state))
  const actions = useMailActions()
  const rows = mails.data?.pages.flatMap((page) => page.rows)
  const isMailOff = mails.data?.pages[0]?.sends_mail === false
  return (
    <>
      <PageBar
        title="Outbox"
        breadcrumb={[
          <Link key="account" to="/account">
            Account
          </Link>,
        ]}
      />
      <div className={settings['body']}>
        <p className={settings['intro']}>
          The mails of the last 90 days to your visitors, and to you about their bookings and submissions and about webhooks. A mail that
          cannot be sent is tried again for two days.
        </p>
        {isMailOff && (
          <SettingsProblem>
            Foyer sends no mail, because it has no mail server. The operator sets one with <code>SMTP_URL</code> and <code>MAIL_FROM</code>{' '}
            and starts it again. Then you can send here what was not sent.
          </SettingsProblem>
        )}
        <SettingsSection
          title="Mails"
          actions={
            <NativeSelect
              aria-label="Show"
              data={stateFilters}
              value={state ?? ''}
              onChange={({ currentTarget }) => setState(findState(currentTarget.value))}
            />
          }
        >
          {mails.isPending && <ListSkeleton rows={4} height={56} columns={[]} />}
          {mails.isError && !rows && (
            <FailedState
              title="The mails could not be loaded"
              reason={describeError(mails.error)}
              onRetry={() => void mails.refetch()}
              isRetrying={mails.isFetching}
            />
          )}
          {rows?.length === 0 && state === undefined && (
            <EmptyState title="No mails yet">When a visitor books a time or answers a form, the mails about it are listed here.</EmptyState>
          )}
          {rows?.length === 0 && state !== undefined && <p className={settings['text']}>No such mails.</p>}
          <ul className={settings['rows']}>
            {rows?.map((mail) => (
              <MailRow key={mail.id} mail={mail} actions={actions} isMailOff={isMailOff} />
            ))}
          </ul>
          {mails.hasNextPage && (
            <div className={settings['actions']}>
              <Button variant="default" onClick={() => void mails.fetchNextPage()} loading={mails.isFetchingNextPage}>
                Show more
              </Button>
            </div>
          )}
        </SettingsSection>
      </div>
    </>
  )
}

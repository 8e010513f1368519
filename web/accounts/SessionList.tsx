import { useRef } from 'react'
import { Button } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Session, accountSettingsRoutes } from '#contract/accountSettings.ts'
import { call } from '#web/lib/client.ts'
import { describeError, toastError } from '#web/lib/toasts.ts'
import { toastWithoutUndo } from '#web/lib/withoutUndo.ts'
import { useFocusAfterRemoval } from '#web/ui/domHooks.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { SettingsSection } from '#web/ui/SettingsSection.tsx'
import { formatDeviceName, isPhone } from './devices.ts'
import { sessionsQuery } from './queries.ts'
import settings from '#web/ui/settings.module.css'

/** The devices on which the user is signed in. All devices except this one can be signed out. */
export function SessionList() {
  const sessions = useQuery(sessionsQuery)
  const queries = useQueryClient()
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list)
  const endSession = useMutation({
    /** Ends one session, or all other sessions when the id is undefined. */
    mutationFn: (id: string | undefined) =>
      id ? call(accountSettingsRoutes.endSession, { params: { id } }) : call(accountSettingsRoutes.endOtherSessions, {}),
    onError: (error) => toastError(error),
    onSuccess: (_, id) => toastWithoutUndo(id ? 'Device signed out' : 'Every other device has been signed out'),
    onSettled: () => queries.invalidateQueries(sessionsQuery),
  })
  const rows = sessions.data?.rows ?? []
  return (
    <SettingsSection title="Devices" description="Where you are signed in. Sign out what you do not know, then change your password.">
      {sessions.isPending && <ListSkeleton rows={2} columns={[]} />}
      {sessions.isError && !sessions.data && (
        <FailedState
          title="Devices could not be loaded"
          reason={describeError(sessions.error)}
          onRetry={() => void sessions.refetch()}
          isRetrying={sessions.isFetching}
        />
      )}
      <ul ref={list} className={settings['rows']}>
        {rows.map((session) => (
          <Device
            key={session.id}
            session={session}
            isEnding={endSession.isPending && endSession.variables === session.id}
            onEnd={() => endSession.mutate(session.id)}
          />
        ))}
      </ul>
      {rows.length > 1 && (
        <div className={settings['actions']}>
          <Button
            variant="default"
            onClick={() => endSession.mutate(undefined)}
            loading={endSession.isPending && endSession.variables === undefined}
          >
            Sign out everywhere else
          </Button>
        </div>
      )}
    </SettingsSection>
  )
}

function Device({ session, isEnding, onEnd }: { session: Session; isEnding: boolean; onEnd: () => void }) {
  const { user_agent, current, created_at, last_seen_at } = session
  const Icon = isPhone(user_agent) ? IconDeviceMobile : IconDeviceDesktop
  const name = formatDeviceName(user_agent)
  return (
    <li className={settings['row']}>
      <Icon size={20} stroke={1.6} aria-hidden="true" />
      <div className={settings['what']}>
        <p className={settings['name']} title={user_agent}>
          <span>{name}</span>
        </p>
        <p className={settings['facts']}>
          {current ? (
            <span>This device</span>
          ) : (
            <span>
              last seen <RelativeTime at={last_seen_at} />
            </span>
          )}
          <span>
            signed in <RelativeTime at={created_at} />
          </span>
        </p>
      </div>
      {!current && (
        <Button variant="subtle" onClick={onEnd} loading={isEnding} aria-label={`Sign out ${name}`}>
          Sign out
        </Button>
      )}
    </li>
  )
}

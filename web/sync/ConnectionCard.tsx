import { useRef, useState } from 'react'
import { Button } from '@mantine/core'
import { IconPlug, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { CrmConnection, CrmSync } from '#contract/crmConnections.ts'
import { formatCount } from '#web/lib/format.ts'
import { describeError } from '#web/lib/toasts.ts'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { SettingsProblem } from '#web/ui/SettingsSection.tsx'
import { describeCounts, describeState } from './describeSync.ts'
import { isUnfinished, syncsQuery, useDeleteConnection, useStopSync, useSync } from './queries.ts'
import { KeyForm } from './KeyForm.tsx'
import { SyncResult, UndoSync } from './SyncResult.tsx'
import settings from '#web/ui/settings.module.css'
import classes from './CrmPage.module.css'

/** A connection with its last sync. */
export function ConnectionCard({ connection }: { connection: CrmConnection }) {
  const { id, api_url, key_state, key_end, contacts, last_synced_at, last_sync } = connection
  const sync = useSync()
  const stop = useStopSync()
  const remove = useDeleteConnection()
  const [isChangingKey, setChangingKey] = useState(false)
  const keyButton = useRef<HTMLButtonElement>(null)
  const closeKeyForm = (): void => {
    setChangingKey(false)
    keyButton.current?.focus()
  }
  const host = new URL(api_url).host
  const isRunning = last_sync !== null && isUnfinished(last_sync)
  const isStarting = (full: boolean): boolean => sync.isPending && sync.variables.full === full
  return (
    <li className={classes['card']}>
      <div className={classes['top']}>
        <span className={classes['icon']}>
          <IconPlug size={18} stroke={1.6} aria-hidden />
        </span>
        <div className={settings['what']}>
          <h3 className={classes['name']}>Insightly</h3>
          <p className={settings['facts']}>
            <span title={api_url}>{host}</span>
            {key_end !== '' && <span>key ends in {key_end}</span>}
            <span>{formatCount(contacts, 'contact')}</span>
            <span>
              {last_synced_at ? (
                <>
                  synced <RelativeTime at={last_synced_at} />
                </>
              ) : (
                'never synced'
              )}
            </span>
          </p>
        </div>
      </div>
      {key_state === 'lost' && (
        <SettingsProblem>This server has a new key of its own and can no longer read the API key. Enter it again.</SettingsProblem>
      )}
      {last_sync && <SyncResult sync={last_sync} />}
      <div className={settings['actions']}>
        {isRunning ? (
          <Button variant="default" onClick={() => stop.mutate(id)} loading={stop.isPending} aria-label={`Stop the sync with ${host}`}>
            Stop
          </Button>
        ) : (
          <Button
            leftSection={<IconRefresh size={16} stroke={1.75} />}
            onClick={() => sync.mutate({ connectionId: id, full: false })}
            loading={isStarting(false)}
            disabled={key_state === 'lost'}
            aria-label={`Sync with ${host}`}
          >
            Sync
          </Button>
        )}
        {!isRunning && last_synced_at !== null && (
          <Button
            variant="default"
            onClick={() => sync.mutate({ connectionId: id, full: true })}
            loading={isStarting(true)}
            disabled={key_state === 'lost'}
            title="Reads all contacts again, and finds those that were deleted there"
          >
            Sync all contacts
          </Button>
        )}
        <Button ref={keyButton} variant="subtle" onClick={() => setChangingKey(!isChangingKey)} aria-expanded={isChangingKey}>
          Change key
        </Button>
        <Button
          variant="subtle"
          color="red"
          onClick={() => remove.mutate(connection)}
          loading={remove.isPending}
          aria-label={`Delete the connection to ${host}`}
        >
          Delete
        </Button>
      </div>
      {isChangingKey && <KeyForm connection={connection} onClose={closeKeyForm} />}
      {last_sync && <EarlierSyncs connectionId={id} newestSyncId={last_sync.id} />}
    </li>
  )
}

/** The syncs before the last one. They are loaded when the list is opened. */
function EarlierSyncs({ connectionId, newestSyncId }: { connectionId: string; newestSyncId: string }) {
  const [isOpen, setOpen] = useState(false)
  const syncs = useQuery({ ...syncsQuery(connectionId), enabled: isOpen })
  const earlier = syncs.data?.rows.filter(({ id }) => id !== newestSyncId)
  return (
    <details className={classes['details']} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Earlier syncs</summary>
      {syncs.isLoading && <p className={settings['text']}>Loading</p>}
      {syncs.isError && <p className={settings['text']}>{describeError(syncs.error)}</p>}
      {earlier?.length === 0 && <p className={settings['text']}>This was the first one.</p>}
      <ul className={classes['list']}>
        {earlier?.map((sync) => (
          <EarlierSync key={sync.id} sync={sync} />
        ))}
      </ul>
    </details>
  )
}

const EarlierSync = ({ sync }: { sync: CrmSync }) => (
  <li>
    <RelativeTime at={sync.started_at} />: {describeState(sync)}. {describeCounts(sync)}.
    <div>
      <UndoSync sync={sync} />
    </div>
  </li>
)

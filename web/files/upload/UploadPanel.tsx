import { useRef, useState, useSyncExternalStore } from 'react'
import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useActions } from '#web/lib/actions.ts'
import { formatCount, formatFileSize, formatNumber } from '#web/lib/format.ts'
import { useStore } from '#web/lib/store.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { computeTotals, formatSentBytes, formatTimeLeft, uploadSpeed, type UploadTotals } from './progress.ts'
import { closeUploads, pauseUploads, startUploads } from './queue.ts'
import { retryingCount } from './retry.ts'
import { StopUploadsDialog } from './StopUploadsDialog.tsx'
import { belongsToOtherBrowser, uploads, type UploadItem } from './uploadList.ts'
import { UnfinishedUploads } from './UnfinishedUploads.tsx'
import { UploadBar, UploadRow } from './UploadRow.tsx'
import { useFocusInPanel } from './useFocusInPanel.ts'
import { chooseRows, describeOthers } from './visibleRows.ts'
import classes from './UploadPanel.module.css'

/** The panel in the corner of every page with the uploads of this tab. */
export function UploadPanel() {
  const items = useStore(uploads)
  return items.length > 0 && <Panel items={items} />
}

function Panel({ items }: { items: readonly UploadItem[] }) {
  const [isOpen, setOpen] = useState(true)
  const [isStopDialogOpen, setStopDialogOpen] = useState(false)
  const panel = useRef<HTMLElement>(null)
  const focusHandlers = useFocusInPanel(panel)
  useReturnFocus()
  const goToPanel = (): void => {
    setOpen(true)
    panel.current?.querySelector('button')?.focus()
  }
  useActions([{ keys: 'shift+u', label: 'Go to uploads', run: goToPanel }])
  const totals = computeTotals(items)
  const title = describeUploads(totals)
  const close = (): void => {
    if (items.some((item) => item.status !== 'done' && !belongsToOtherBrowser(item))) return setStopDialogOpen(true)
    closeUploads(items)
  }
  const rows = chooseRows(items)
  const others = describeOthers(items, rows)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the handlers only observe the focus of the buttons in it
    <section
      ref={panel}
      className={classes['panel']}
      aria-label="Uploads"
      data-corner-panel
      data-open={isOpen || undefined}
      {...focusHandlers}
    >
      <header className={classes['header']}>
        <h2 className={classes['title']}>{title}</h2>
        {!isOpen && (
          <span className={classes['time']}>
            <TimeLeft />
          </span>
        )}
        <PauseAllButton items={items} />
        <ActionIcon size={28} aria-label={isOpen ? 'Hide uploads' : 'Show uploads'} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? <IconChevronDown size={16} stroke={1.75} /> : <IconChevronUp size={16} stroke={1.75} />}
        </ActionIcon>
        <ActionIcon size={28} aria-label="Close uploads" onClick={close}>
          <IconX size={16} stroke={1.75} />
        </ActionIcon>
      </header>
      {isOpen ? (
        <>
          <Totals totals={totals} />
          <UnfinishedUploads items={items} />
          <ul className={classes['rows']}>
            {rows.map((item) => (
              <UploadRow key={item.id} item={item} />
            ))}
          </ul>
          {others && <p className={classes['others']}>{others}</p>}
        </>
      ) : (
        <UploadBar label={title} value={totals.shownBytes} max={totals.bytes} isAtEdge />
      )}
      <Announcement totals={totals} />
      {isStopDialogOpen && <StopUploadsDialog items={items} onClose={() => setStopDialogOpen(false)} />}
    </section>
  )
}

function describeUploads({ count, countByStatus }: UploadTotals): string {
  if (countByStatus.running + countByStatus.waiting + countByStatus.preparing > 0)
    return `Uploading ${formatNumber(countByStatus.done)} of ${formatNumber(count)}`
  if (countByStatus.paused > 0) return `Paused at ${formatNumber(countByStatus.done)} of ${formatNumber(count)}`
  if (countByStatus.asking > 0) return `${formatCount(countByStatus.asking, 'file')} waiting for your choice`
  if (countByStatus.failed > 0) return `${formatCount(countByStatus.failed, 'upload')} failed`
  if (countByStatus.unfinished > 0) return `${formatCount(countByStatus.unfinished, 'upload')} not finished`
  return `${formatCount(countByStatus.done, 'file')} uploaded`
}

/** The total progress. It is hidden when all uploads have ended. */
function Totals({ totals }: { totals: UploadTotals }) {
  const { bytes, shownBytes, countByStatus } = totals
  const speed = useStore(uploadSpeed)?.bytesPerSecond ?? 0
  const isOnline = useIsOnline()
  if (countByStatus.done + countByStatus.failed === totals.count) return null
  return (
    <div className={classes['totals']}>
      <UploadBar label="All uploads" value={shownBytes} max={bytes} />
      <p className={classes['numbers']}>
        <span>{formatSentBytes(shownBytes, bytes)}</span>
        <span>
          {isOnline && speed >= 1 && `${formatFileSize(speed)}/s · `}
          <TimeLeft />
        </span>
      </p>
    </div>
  )
}

function TimeLeft() {
  const speed = useStore(uploadSpeed)
  const isRetrying = useStore(retryingCount) > 0
  if (!useIsOnline()) return 'Waiting for the connection'
  const isSending = speed !== undefined && speed.bytesPerSecond >= 1
  if (isRetrying && !isSending) return 'Connection lost, trying again'
  return speed ? formatTimeLeft(speed.secondsLeft) : ''
}

function PauseAllButton({ items }: { items: readonly UploadItem[] }) {
  const canPause = items.some(({ status }) => status === 'running' || status === 'waiting')
  const pausedIds = items.filter(({ status }) => status === 'paused').map(({ id }) => id)
  if (canPause)
    return (
      <ActionIcon size={28} aria-label="Pause all uploads" onClick={() => pauseUploads(items.map(({ id }) => id))}>
        <IconPlayerPause size={16} stroke={1.75} />
      </ActionIcon>
    )
  if (pausedIds.length === 0) return null
  return (
    <ActionIcon size={28} aria-label="Continue all uploads" onClick={() => startUploads(pausedIds)}>
      <IconPlayerPlay size={16} stroke={1.75} />
    </ActionIcon>
  )
}

/**
 * Announces the start and the pause of uploads to screen readers. Notifications announce the end; the progress would be announced too
 * often.
 */
function Announcement({ totals }: { totals: UploadTotals }) {
  return <VisuallyHidden component="output">{describeForScreenReaders(totals, useIsOnline())}</VisuallyHidden>
}

function describeForScreenReaders({ countByStatus, count }: UploadTotals, isOnline: boolean): string {
  const isRunning = countByStatus.running + countByStatus.waiting > 0
  if (isRunning) return isOnline ? `Uploading ${formatCount(count, 'file')}` : 'Uploads wait for the connection'
  return countByStatus.paused > 0 ? 'Uploads paused' : ''
}

const useIsOnline = (): boolean => useSyncExternalStore(subscribeToConnection, () => navigator.onLine)

function subscribeToConnection(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

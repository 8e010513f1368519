import type { ReactNode } from 'react'
import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconCircleCheck, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { findKindByName } from '#web/lib/features.ts'
import { formatFileSize } from '#web/lib/format.ts'
import { computePercent } from './progress.ts'
import { cancelUploads, pauseUploads, startUploads } from './queue.ts'
import type { UploadItem, UploadPlace } from './uploadList.ts'
import classes from './UploadPanel.module.css'

/** A file in the panel of uploads, with its progress and what can be done with it. */
export function UploadRow({ item }: { item: UploadItem }) {
  const { name, path, status, sentBytes, size } = item
  const hasBar = status === 'running' || status === 'paused'
  return (
    <li className={classes['row']} data-status={status}>
      <div className={classes['text']}>
        <div className={classes['line']}>
          <Name item={item} title={path} />
          <span className={classes['state']}>{describeState(item)}</span>
        </div>
        {hasBar && <UploadBar label={name} value={sentBytes} max={size} isPaused={status === 'paused'} />}
      </div>
      <Actions item={item} />
    </li>
  )
}

/** The name. For a file that is done it is a link to the folder or the contact. */
function Name({ item: { name, place, status }, title }: { item: UploadItem; title: string }) {
  const address = addressOfPlace(place)
  if (status !== 'done' || address === undefined)
    return (
      <span className={classes['name']} title={title}>
        {name}
      </span>
    )
  return (
    <Link to={address} className={classes['name']} title={title}>
      {name}
    </Link>
  )
}

function addressOfPlace({ folder_id: folder, contact_id: contact }: UploadPlace): string | undefined {
  if (contact !== null) return findKindByName('contact')?.addressOf({ id: contact })
  return folder === null ? '/files' : findKindByName('folder')?.addressOf({ id: folder })
}

function describeState(item: UploadItem): string {
  const { status, failure, size, origin } = item
  if (status === 'failed') return failure?.message ?? 'Failed'
  if (status === 'running') return `${computePercent(item)}%`
  if (status === 'paused') return 'Paused'
  if (status === 'unfinished') return origin === 'other browser' ? 'Begun in another browser' : 'Not finished'
  if (status === 'done') return formatFileSize(size)
  if (status === 'asking') return 'Name is taken'
  return 'Waiting'
}

function Actions({ item: { id, name, status } }: { item: UploadItem }) {
  const cancel = (
    <RowButton label={`${status === 'unfinished' ? 'Discard' : 'Cancel'} ${name}`} onClick={() => cancelUploads([id])}>
      <IconX size={16} stroke={1.75} />
    </RowButton>
  )
  const start = (): void => startUploads([id])
  if (status === 'done') return <IconCircleCheck size={18} stroke={1.6} className={classes['done'] ?? ''} aria-label="Done" />
  if (status === 'running')
    return (
      <>
        <RowButton label={`Pause ${name}`} onClick={() => pauseUploads([id])}>
          <IconPlayerPause size={16} stroke={1.75} />
        </RowButton>
        {cancel}
      </>
    )
  if (status === 'paused')
    return (
      <>
        <RowButton label={`Continue ${name}`} onClick={start}>
          <IconPlayerPlay size={16} stroke={1.75} />
        </RowButton>
        {cancel}
      </>
    )
  if (status === 'failed')
    return (
      <>
        <UnstyledButton className={classes['retry']} aria-label={`Retry ${name}`} onClick={start}>
          Retry
        </UnstyledButton>
        {cancel}
      </>
    )
  return cancel
}

function RowButton({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <ActionIcon size={28} aria-label={label} onClick={onClick}>
      {children}
    </ActionIcon>
  )
}

type UploadBarProps = { label: string; value: number; max: number; isPaused?: boolean; isAtEdge?: boolean }

/** A progress bar. `isAtEdge` places it at the lower edge of the folded panel. */
export function UploadBar({ label, value, max, isPaused = false, isAtEdge = false }: UploadBarProps) {
  return (
    <progress
      className={classes['bar']}
      aria-label={label}
      value={max === 0 ? 0 : Math.min(1, value / max)}
      data-paused={isPaused || undefined}
      data-edge={isAtEdge || undefined}
    />
  )
}

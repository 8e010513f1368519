import type { ReactNode } from 'react'
import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconCircleCheck, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { findKindDisplay } from '#web/lib/features.ts'
import { formatFileSize } from '#web/lib/format.ts'
import { computePercent } from './progress.ts'
import { cancelUploads, pauseUploads, startUploads } from './queue.ts'
import type { UploadItem, UploadPlace } from './uploadList.ts'
import classes from './UploadPanel.module.css'

/** A file in the panel of uploads, with its progress and what can be done with it. */
export function UploadRow({ item }: { item: UploadItem }) {
  const { name, path, status, shownBytes, size } = item
  const hasBar = status === 'running' || status === 'paused'
  return (
    <li className={classes['row']} data-status={status} data-failed={item.failure !== undefined || undefined} data-upload={item.id}>
      <div className={classes['text']}>
        <div className={classes['line']}>
          <Name item={item} title={path} />
          <span className={classes['state']}>{describeState(item)}</span>
        </div>
        {hasBar && <UploadBar label={name} value={shownBytes} max={size} isPaused={status === 'paused'} />}
      </div>
      <Actions item={item} />
    </li>
  )
}

/** The name of a file. When the file is uploaded, the name is a link to its folder or contact. */
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
  if (contact !== null) return findKindDisplay('contact')?.addressOf({ id: contact })
  return folder === null ? '/files' : findKindDisplay('folder')?.addressOf({ id: folder })
}

function describeState(item: UploadItem): string {
  const { status, failure, size } = item
  if (failure) return failure.message
  if (status === 'running') return `${computePercent(item)}%`
  if (status === 'paused') return 'Paused'
  if (status === 'unfinished') return 'Not finished'
  if (status === 'done') return formatFileSize(size)
  if (status === 'asking') return 'Name is taken'
  return 'Waiting'
}

function Actions({ item: { id, name, status } }: { item: UploadItem }) {
  const cancel = (
    <RowButton label={`Cancel ${name}`} onClick={() => cancelUploads([id])}>
      <IconX size={16} stroke={1.75} />
    </RowButton>
  )
  const start = (): void => startUploads([id])
  if (status === 'done') return <IconCircleCheck size={18} stroke={1.6} className={classes['done'] ?? ''} aria-label="Done" />
  if (status === 'unfinished') return <RowTextButton text="Discard" name={name} onClick={() => cancelUploads([id])} />
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
        <RowTextButton text="Retry" name={name} onClick={start} />
        {cancel}
      </>
    )
  return cancel
}

const RowTextButton = ({ text, name, onClick }: { text: string; name: string; onClick: () => void }) => (
  <UnstyledButton className={classes['textButton']} aria-label={`${text} ${name}`} onClick={onClick}>
    {text}
  </UnstyledButton>
)

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

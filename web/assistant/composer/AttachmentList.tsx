import { ActionIcon, Loader } from '@mantine/core'
import { IconAlertTriangle, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Reference } from '#contract/assistant.ts'
import { findKindDisplay } from '#web/lib/features.ts'
import classes from './AttachmentList.module.css'
import type { Attachments } from './useAttachments.ts'

type AttachmentListProps = { references: readonly Reference[]; attachments: Attachments }

/** The records and files that are sent with a message, and the files that are still being uploaded. */
export function AttachmentList({ references, attachments: { uploads, remove, dismiss } }: AttachmentListProps) {
  if (references.length + uploads.length === 0) return null
  return (
    <ul className={classes['list']} aria-label="Attached to this message">
      {references.map((reference) => (
        <Attachment
          key={reference.id}
          name={reference.title}
          picture={<KindIcon kind={reference.kind} />}
          onRemove={() => remove(reference)}
        />
      ))}
      {uploads.map(({ key, name, failure }) =>
        failure === undefined ? (
          <Attachment key={key} name={name} picture={<Loader size={14} aria-label="Uploading" />} />
        ) : (
          <Attachment
            key={key}
            name={name}
            remark={failure}
            picture={<IconAlertTriangle size={16} stroke={1.75} />}
            onRemove={() => dismiss(key)}
          />
        ),
      )}
    </ul>
  )
}

type AttachmentProps = { name: string; picture: ReactNode; remark?: string; onRemove?: () => void }

function Attachment({ name, picture, remark, onRemove }: AttachmentProps) {
  return (
    <li className={classes['attachment']} data-failed={remark !== undefined || undefined}>
      {picture}
      <span className={classes['name']} dir="auto" title={name}>
        {name}
      </span>
      {remark !== undefined && (
        <span className={classes['remark']} role="alert">
          {remark}
        </span>
      )}
      {onRemove && (
        <ActionIcon size={24} aria-label={`Remove ${name}`} onClick={onRemove}>
          <IconX size={14} stroke={1.75} />
        </ActionIcon>
      )}
    </li>
  )
}

export function KindIcon({ kind }: { kind: Reference['kind'] }) {
  const Picture = findKindDisplay(kind)?.icon
  return Picture ? <Picture size={16} stroke={1.75} /> : null
}

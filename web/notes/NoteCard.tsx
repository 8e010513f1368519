import { ActionIcon, Tooltip } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { Note } from '#contract/notes.ts'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { RichText } from '#web/ui/RichText.tsx'
import classes from './Notes.module.css'

type NoteCardProps = {
  note: Note
  /** True when the note has just been edited. Its edit button then gets the focus. */
  takesFocus: boolean
  onEdit: () => void
  onDelete: () => void
}

/** A note with its date and the buttons that edit and delete it. */
export function NoteCard({ note, takesFocus, onEdit, onDelete }: NoteCardProps) {
  return (
    <>
      <div className={classes['head']}>
        <span className={classes['when']}>
          <RelativeTime at={note.created_at} />
        </span>
        <Tooltip label="Edit note">
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- returns the focus after an edit */}
          <ActionIcon aria-label="Edit note" data-edit={note.id} autoFocus={takesFocus} onClick={onEdit}>
            <IconPencil size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Delete note">
          <ActionIcon aria-label="Delete note" onClick={onDelete}>
            <IconTrash size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </div>
      <RichText text={note.content} />
    </>
  )
}

import { Button, Textarea } from '@mantine/core'
import { formatKeys } from '#web/lib/shortcuts.ts'
import { toText } from '#web/records/form/fields.ts'
import { useRecordEditor } from '#web/records/form/useRecordEditor.ts'
import { noteForm, runOnCtrlEnter } from './noteForm.ts'
import classes from './Notes.module.css'

type AddNoteProps = {
  contactId: string
  /** True after a note has been added. The empty form then gets the focus. */
  takesFocus: boolean
  onAdded: () => void
}

/** The form of a new note. The tab stores the typed text as a draft until the note is added. */
export function AddNote({ contactId, takesFocus, onAdded }: AddNoteProps) {
  const editor = useRecordEditor(noteForm(contactId), undefined) // without a record, the form adds one
  const isBlank = toText(editor.form.getValues()['content']).trim() === ''
  const add = (): void => {
    if (!isBlank) editor.save(onAdded)
  }
  return (
    <form
      className={classes['add']}
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <Textarea
        aria-label="New note"
        placeholder="Write a note"
        variant="unstyled"
        name="content"
        autosize
        minRows={3}
        maxRows={16}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user can type the next note at once
        autoFocus={takesFocus}
        readOnly={editor.saving}
        onKeyDown={runOnCtrlEnter(add)}
        {...editor.form.getInputProps('content')}
      />
      <div className={classes['foot']}>
        <Button
          type="submit"
          variant="filled"
          disabled={isBlank}
          loading={editor.saving}
          title={`Add note (${formatKeys('mod+Enter').join(' ')})`}
        >
          Add note
        </Button>
      </div>
    </form>
  )
}

import { Button, Textarea } from '@mantine/core'
import { keyCaps } from '#web/lib/shortcuts.ts'
import { toText } from '#web/records/form/fields.ts'
import { useRecordEditor } from '#web/records/form/useRecordEditor.ts'
import { noteForm } from './noteKind.ts'
import classes from './Notes.module.css'
import { withModEnter } from './withModEnter.ts'

/** Writes a note. What is typed stays in this tab until it is added. `onAdded` begins the next one. */
export function AddNote({ contactId, takesFocus, onAdded }: { contactId: string; takesFocus: boolean; onAdded: () => void }) {
  const editor = useRecordEditor(noteForm(contactId), undefined)
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
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the next note begins where the last one was written
        autoFocus={takesFocus}
        readOnly={editor.saving}
        onKeyDown={withModEnter(add)}
        {...editor.form.getInputProps('content')}
      />
      <div className={classes['foot']}>
        <Button
          type="submit"
          variant="filled"
          disabled={isBlank}
          loading={editor.saving}
          title={`Add note (${keyCaps('mod+Enter').join(' ')})`}
        >
          Add note
        </Button>
      </div>
    </form>
  )
}

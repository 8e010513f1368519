import { Button, Textarea } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import type { Note } from '#contract/notes.ts'
import { formatKeys } from '#web/lib/shortcuts.ts'
import { ConflictBanner, DeletedBanner, RestoredDraftBanner } from '#web/records/form/EditorBanners.tsx'
import { RecordField } from '#web/records/form/RecordField.tsx'
import { useRecordEditor } from '#web/records/form/useRecordEditor.ts'
import { useUnsavedChangesGuard } from '#web/records/form/unsavedChangesGuard.tsx'
import { noteForm, runOnCtrlEnter } from './noteForm.ts'
import classes from './Notes.module.css'

/**
 * The form of a note, which replaces the note in the list. If the note was changed in another tab or on another device while the form was
 * open, both versions are shown.
 */
export function EditNote({ note, onDone }: { note: Note; onDone: () => void }) {
  const editor = useRecordEditor(noteForm(note.contact_id), note)
  const guard = useUnsavedChangesGuard(editor.hasUnsavedChanges, editor.discardDraft)
  const onSaved = (hasTypedDuringSave: boolean): void => {
    if (!hasTypedDuringSave) onDone()
  }
  const save = (): void => editor.save(onSaved)
  const restoreAndSave = (): void => editor.save(onSaved, { restore: true })
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || guard.confirmation) return
    event.preventDefault()
    guard.confirmAndRun(onDone)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the form handles Escape in its field
    <form
      className={classes['edit']}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      {editor.isDraftRestored && <RestoredDraftBanner onStartOver={editor.startOver} />}
      <DeletedBanner editor={editor} noun="note" onRestore={restoreAndSave} />
      <ConflictBanner editor={editor} />
      <RecordField editor={editor} field="content">
        <Textarea
          aria-label="Note"
          name="content"
          autosize
          minRows={3}
          maxRows={24}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field replaces the button that was pressed
          autoFocus
          onKeyDown={runOnCtrlEnter(save)}
          {...editor.form.getInputProps('content')}
          // the caret is at the end of the text
          onFocus={({ currentTarget: field }) => field.setSelectionRange(field.value.length, field.value.length)}
        />
      </RecordField>
      <div className={classes['foot']}>
        <Button variant="default" onClick={() => guard.confirmAndRun(onDone)}>
          Cancel
        </Button>
        <Button type="submit" loading={editor.saving} title={`Save note (${formatKeys('mod+Enter').join(' ')})`}>
          Save note
        </Button>
      </div>
      {guard.confirmation}
    </form>
  )
}

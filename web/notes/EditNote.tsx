import { Button, Textarea } from '@mantine/core'
import { useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react'
import type { Note } from '#contract/notes.ts'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { formatKeys } from '#web/lib/shortcuts.ts'
import { toast } from '#web/lib/toasts.ts'
import { ConflictBanner, DeletedBanner, RestoredDraftBanner } from '#web/records/form/EditorBanners.tsx'
import { toText } from '#web/records/form/fields.ts'
import { RecordField } from '#web/records/form/RecordField.tsx'
import { useRecordEditor } from '#web/records/form/useRecordEditor.ts'
import { useUnsavedChangesGuard } from '#web/records/form/unsavedChangesGuard.tsx'
import { AiOffNotice } from '#web/ui/AiOffNotice.tsx'
import { canTakeFocus } from '#web/ui/unfocused.ts'
import { ImproveButton } from './improve/ImproveButton.tsx'
import { useImprovement } from './improve/useImprovement.ts'
import { noteForm, runOnCtrlEnter } from './noteForm.ts'
import classes from './Notes.module.css'

const SuggestedText = lazyPart(() => import('./improve/SuggestedText.tsx').then((module) => module.SuggestedText))

/** Called when the field is mounted, not on focus: the caret must stay where it is when the user returns to the window. */
const moveCaretToEnd = (field: HTMLTextAreaElement | null): void => field?.setSelectionRange(field.value.length, field.value.length)

type EditNoteProps = {
  note: Note
  /** `mayTakeFocus` is false if the user has focused another element while the note was being saved. */
  onDone: (mayTakeFocus: boolean) => void
}

/**
 * The form of a note, which replaces the note in the list. If the note was changed in another tab or on another device while the form was
 * open, both versions are shown.
 */
export function EditNote({ note, onDone }: EditNoteProps) {
  const editor = useRecordEditor(noteForm(note.contact_id), note)
  const guard = useUnsavedChangesGuard(editor.hasUnsavedChanges, editor.startOver)
  const [formElement, setFormElement] = useState<HTMLFormElement | null>(null)
  const onSaved = (hasTypedDuringSave: boolean): void => {
    if (!hasTypedDuringSave) onDone(canTakeFocus(formElement))
  }
  const close = (): void => onDone(true)
  const { improvement, isRunning, start, end, endOnEscape } = useImprovement()
  const content = toText(editor.form.getValues()['content'])
  const save = (): void => {
    if (!isRunning) editor.save(onSaved)
  }
  /** Saves the suggested text, unless a newer version of the note was loaded meanwhile, which the save would overwrite. */
  const acceptImprovement = (original: string, text: string): void => {
    if (editor.saving) return
    if (content !== original) {
      end()
      return toast({ kind: 'info', title: 'The note has changed', message: 'It was changed somewhere else meanwhile. Improve it again.' })
    }
    editor.form.setFieldValue('content', text)
    editor.save(onSaved)
  }
  const restoreAndSave = (): void => editor.save(onSaved, { restore: true })
  /** Ends the improvement after a save. If the save has failed, this shows the field with the accepted text. */
  const endAfterSave = useEffectEvent(end)
  useEffect(() => (editor.saving ? () => endAfterSave() : undefined), [editor.saving])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return // Escape ends the composition of a word
    if (!editor.saving) endOnEscape(event)
    if (event.key !== 'Escape' || event.defaultPrevented || guard.confirmation) return
    event.preventDefault()
    guard.confirmAndRun(close)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the form handles Escape in its field
    <form
      ref={setFormElement}
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
      {improvement.state === 'suggested' ? (
        <div className={classes['suggestion']}>
          <SuggestedText
            {...improvement}
            isSaving={editor.saving}
            onAccept={() => acceptImprovement(improvement.original, improvement.text)}
            onLeave={end}
            onLoadCancelled={end}
          />
        </div>
      ) : (
        <>
          <RecordField editor={editor} field="content">
            <Textarea
              aria-label="Note"
              name="content"
              autosize
              minRows={3}
              maxRows={24}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field replaces the button that was pressed
              autoFocus
              readOnly={isRunning}
              onKeyDown={runOnCtrlEnter(save)}
              {...editor.form.getInputProps('content')}
              ref={moveCaretToEnd}
            />
          </RecordField>
          {improvement.state === 'off' && (
            <div className={classes['notice']}>
              <AiOffNotice text={improvement.reason} />
            </div>
          )}
          <div className={classes['foot']}>
            <ImproveButton
              isDisabled={content.trim() === '' || editor.saving}
              isRunning={isRunning}
              onStart={() => start(content)}
              onStop={end}
            />
            <Button variant="default" onClick={() => guard.confirmAndRun(close)}>
              Cancel
            </Button>
            <Button type="submit" disabled={isRunning} loading={editor.saving} title={`Save note (${formatKeys('mod+Enter').join(' ')})`}>
              Save note
            </Button>
          </div>
        </>
      )}
      {guard.confirmation}
    </form>
  )
}

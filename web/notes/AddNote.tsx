import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useCloseConfirmation } from '#web/lib/closeConfirmation.ts'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { formatKeys } from '#web/lib/shortcuts.ts'
import { toText } from '#web/records/form/fields.ts'
import { useRecordEditor } from '#web/records/form/useRecordEditor.ts'
import { AiOffNotice } from '#web/ui/AiOffNotice.tsx'
import { canTakeFocus } from '#web/ui/unfocused.ts'
import { ImproveButton } from './improve/ImproveButton.tsx'
import { useImprovement } from './improve/useImprovement.ts'
import { noteForm, runOnCtrlEnter } from './noteForm.ts'
import classes from './Notes.module.css'

const SuggestedText = lazyPart(() => import('./improve/SuggestedText.tsx').then((module) => module.SuggestedText))

type AddNoteProps = {
  contactId: string
  /** True if this form gets the focus: it is new and empty, because a note was just added with the form before it. */
  takesFocus: boolean
  /** `mayTakeFocus` is false if the user has focused another element while the note was being saved. */
  onAdded: (mayTakeFocus: boolean) => void
}

/** The form of a new note. The browser's tab keeps the typed text as a draft until the note is added. */
export function AddNote({ contactId, takesFocus, onAdded }: AddNoteProps) {
  const editor = useRecordEditor(noteForm(contactId), undefined) // without a record, the form adds one
  useCloseConfirmation(editor.hasUnsavedChanges) // within the application the draft stays, but a closed tab loses it
  const { improvement, isRunning, hasEnded, start, end, endOnEscape } = useImprovement()
  const content = toText(editor.form.getValues()['content'])
  const isBlank = content.trim() === ''
  const acceptImprovement = (text: string): void => {
    editor.form.setFieldValue('content', text)
    end()
  }
  const [formElement, setFormElement] = useState<HTMLFormElement | null>(null)
  const add = (): void => {
    if (!isBlank && !isRunning) editor.save(() => onAdded(canTakeFocus(formElement)))
  }
  if (improvement.state === 'suggested')
    return (
      // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape discards the suggestion, wherever the focus is
      <div className={classes['add']} onKeyDown={endOnEscape}>
        <SuggestedText {...improvement} onAccept={() => acceptImprovement(improvement.text)} onLeave={end} onLoadCancelled={end} />
      </div>
    )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape stops the AI, wherever the focus is
    <form
      ref={setFormElement}
      className={classes['add']}
      onKeyDown={endOnEscape}
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
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user can type the next note at once, and can continue after an improvement
        autoFocus={takesFocus || hasEnded}
        readOnly={editor.saving || isRunning}
        onKeyDown={runOnCtrlEnter(add)}
        {...editor.form.getInputProps('content')}
      />
      {improvement.state === 'off' && (
        <div className={classes['notice']}>
          <AiOffNotice text={improvement.reason} />
        </div>
      )}
      <div className={classes['foot']}>
        <ImproveButton isDisabled={isBlank || editor.saving} isRunning={isRunning} onStart={() => start(content)} onStop={end} />
        <Button
          type="submit"
          variant="filled"
          disabled={isBlank || isRunning}
          loading={editor.saving}
          title={`Add note (${formatKeys('mod+Enter').join(' ')})`}
        >
          Add note
        </Button>
      </div>
    </form>
  )
}

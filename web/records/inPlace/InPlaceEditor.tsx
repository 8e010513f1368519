import { ActionIcon } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useMemo, useRef, useState, type FocusEvent, type FormEvent, type KeyboardEvent } from 'react'
import { ConflictBanner, DeletedBanner, RestoredDraftBanner } from '#web/records/form/EditorBanners.tsx'
import { FieldInput, type FieldInputs } from '#web/records/form/FieldInput.tsx'
import { createRecordForm, type SavedRecord } from '#web/records/form/recordForm.ts'
import { useUnsavedChangesGuard } from '#web/records/form/unsavedChangesGuard.tsx'
import { useRecordEditor, type RecordEditor } from '#web/records/form/useRecordEditor.ts'
import type { EditableKind } from '#web/records/kind/kind.ts'
import classes from './InPlaceEditor.module.css'

/** A record whose values are edited where they are shown. */
export type EditedRecord<Full extends SavedRecord> = { kind: EditableKind<Full>; record: Full; inputs: FieldInputs<Full> }

type InPlaceEditorProps<Full extends SavedRecord> = EditedRecord<Full> & {
  /** The fields that are edited and saved together. */
  fields: readonly string[]
  /** The name of the value for the buttons: "phone". */
  noun: string
  onClose: () => void
}

/**
 * Edits one value, or a few fields that belong together, in place of the value. Saves on Enter, when the user selects an option, and when
 * the user leaves the fields; Escape restores the old value. The editor stays open if the save fails, is refused or has a conflict.
 */
export function InPlaceEditor<Full extends SavedRecord>({ noun, onClose, ...props }: InPlaceEditorProps<Full>) {
  const { kind, record, inputs, fields } = props
  const recordForm = useMemo(() => createRecordForm(kind, fields), [kind, fields])
  const editor = useRecordEditor(recordForm, record)
  const { hasUnsavedChanges, saving, conflict, missing, isDraftRestored, discardDraft } = editor
  const form = useRef<HTMLFormElement>(null)
  const { confirmation } = useUnsavedChangesGuard(hasUnsavedChanges && !saving, editor.startOver)
  useFocusOnOpen(form, !isDraftRestored)
  /** The number of saves during which the user has typed more. */
  const [partialSaves, setPartialSaves] = useState(0)
  const save = (options?: Parameters<typeof editor.save>[1]): void =>
    editor.save((hasTypedDuringSave) => {
      if (hasTypedDuringSave) setPartialSaves((count) => count + 1)
      else onClose()
    }, options)
  const cancel = (): void => {
    discardDraft()
    onClose()
  }
  /** True after the focus has left the fields. */
  const hasLeft = useRef(false)
  const saveAfterLeaving = (): void => {
    const needsDecision = conflict !== undefined || missing !== undefined || confirmation !== false
    if (!hasLeft.current || needsDecision || editor.form.validate().hasErrors) return
    save()
  }
  const saveRest = useEffectEvent(saveAfterLeaving)
  useEffect(() => {
    if (partialSaves > 0) saveRest()
  }, [partialSaves])
  const saveOnBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLFormElement>): void => {
    // when the user switches to another window, the active element stays the same
    hasLeft.current = !currentTarget.contains(relatedTarget) && !currentTarget.contains(document.activeElement)
    saveAfterLeaving()
  }
  const handleKey = (event: KeyboardEvent): void => {
    const hasModifier = event.ctrlKey || event.metaKey
    if (!hasModifier) event.stopPropagation() // so that no key runs a shortcut of the page
    if (event.nativeEvent.isComposing) return // the key belongs to an input method, for example for Chinese
    const hasClosedList = event.defaultPrevented && hasUnsavedChanges // this Escape has only closed the dropdown of the field
    if (event.key === 'Escape' && !hasClosedList) cancel()
    if (event.key === 'Enter' && hasModifier && !event.defaultPrevented) save()
    if (event.key === 'Escape' || (event.key === 'Enter' && hasModifier)) event.preventDefault()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    save()
  }
  const inputFields = fields.filter((field) => field in inputs)
  const isChoice = fields.every((field) => kind.fields[field]?.choices ?? kind.fields[field]?.linksTo)
  const isLong = fields.some((field) => kind.fields[field]?.isLong)
  const inPlaceEditor: RecordEditor = { ...editor, saveInPlace: save, saveAfterLeaving }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of its inputs */}
      <form
        ref={form}
        className={classes['editor']}
        // on a page with two columns, an editor with a banner is as wide as both
        data-needs-space={isDraftRestored || conflict !== undefined || missing !== undefined || undefined}
        data-single={inputFields.length === 1 || undefined}
        noValidate
        autoComplete="off"
        onSubmit={submit}
        onKeyDown={handleKey}
        onFocus={() => {
          hasLeft.current = false
        }}
        onBlur={saveOnBlur}
      >
        {isDraftRestored && <RestoredDraftBanner onStartOver={cancel} />}
        <DeletedBanner editor={editor} noun={kind.singular} onRestore={() => save({ restore: true })} />
        <ConflictBanner editor={editor} />
        {inputFields.map((field) => (
          <FieldInput key={field} inputs={inputs} editor={inPlaceEditor} field={field} record={record} />
        ))}
        <EditorButtons
          noun={noun}
          isInTabOrder={isLong || inputFields.length > 1 || conflict !== undefined}
          saveKeys={isLong ? 'Ctrl Enter' : 'Enter'}
          saving={saving}
          isHidden={isChoice && !hasUnsavedChanges} // selecting an option saves at once, so there is nothing to confirm
          onCancel={cancel}
        />
      </form>
      {confirmation}
    </>
  )
}

type EditorButtonsProps = {
  noun: string
  /** False if Enter saves the only input, so that Tab leaves the editor. */
  isInTabOrder: boolean
  saveKeys: string
  saving: boolean
  isHidden: boolean
  onCancel: () => void
}

/** The buttons below the inputs, over the content of the page, so that the page does not move. */
function EditorButtons({ noun, isInTabOrder, saveKeys, saving, isHidden, onCancel }: EditorButtonsProps) {
  const buttonProps = { size: 28, tabIndex: isInTabOrder ? 0 : -1 }
  return (
    <div className={classes['buttons']} hidden={isHidden}>
      <ActionIcon {...buttonProps} type="submit" loading={saving} aria-label={`Save ${noun}`} title={`Save (${saveKeys})`}>
        <IconCheck size={16} stroke={1.9} />
      </ActionIcon>
      <ActionIcon {...buttonProps} aria-label={`Cancel editing ${noun}`} title="Cancel (Esc)" onClick={onCancel}>
        <IconX size={16} stroke={1.9} />
      </ActionIcon>
    </div>
  )
}

/** Focuses the first input when the editor opens: selects a short text, goes to the end of a long one, and opens the list of a choice. */
function useFocusOnOpen(form: { current: HTMLFormElement | null }, enabled: boolean): void {
  useEffect(() => {
    const input = enabled ? form.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea') : undefined
    if (input instanceof HTMLTextAreaElement) input.setSelectionRange(input.value.length, input.value.length)
    input?.focus()
    if (input?.readOnly) input.click() // a choice field without search; the click opens its list
    else if (input instanceof HTMLInputElement) input.select()
    // oxlint-disable-next-line react/exhaustive-deps -- only when the editor opens
  }, [])
}

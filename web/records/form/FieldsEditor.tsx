import { Button } from '@mantine/core'
import { useEffect, useMemo, type FormEvent, type KeyboardEvent } from 'react'
import * as z from 'zod/mini'
import type { FieldsEditorProps, KindFields } from '#web/lib/features.ts'
import { focusFirstError } from '#web/lib/forms.ts'
import type { EditableKind } from '#web/records/kind/kind.ts'
import { FieldInput, type FieldInputs } from './FieldInput.tsx'
import { FieldValues, toFormValues } from './fields.ts'
import classes from './FieldsEditor.module.css'
import type { RecordForm, SavedRecord } from './recordForm.ts'
import { useRecordEditor } from './useRecordEditor.ts'

type EditedKind = Pick<EditableKind<SavedRecord>, 'fields' | 'blank' | 'input'>

/** Creates the fields of a kind with an editor that shows the kind's own inputs. */
export const createKindFields = <Full,>(kind: EditedKind, inputs: FieldInputs<Full>): KindFields => ({
  fields: kind.fields,
  blank: kind.blank,
  Editor: (props) => <FieldsEditor {...props} kind={kind} inputs={inputs} />,
})

/** Edits some values of a kind. Enter or the button passes them to `onSave`; Escape discards the changes. */
function FieldsEditor<Full>({
  kind,
  inputs,
  draftName,
  values,
  typedValues,
  errors,
  onSave,
  onCancel,
  onMoreFields,
}: FieldsEditorProps & { kind: EditedKind; inputs: FieldInputs<Full> }) {
  const names = Object.keys(kind.fields).filter((name) => name in values)
  const form = useMemo(
    () => createValuesForm(kind, draftName, names),
    // oxlint-disable-next-line react/exhaustive-deps -- `names` is new on every render
    [kind, draftName, names.join()],
  )
  const editor = useRecordEditor(form, undefined, { ...toFormValues(values, form.labels), ...typedValues })
  useEffect(() => {
    editor.form.setErrors(errors)
    const fieldToFocus = names.find((name) => name in errors) ?? names[0] ?? ''
    editor.form.getInputNode(fieldToFocus)?.focus()
    // oxlint-disable-next-line react/exhaustive-deps -- only when the editor opens
  }, [])
  const save = (): void => {
    const result = editor.form.validate()
    if (result.hasErrors) return void focusFirstError(editor.form, result.errors)
    editor.discardDraft()
    onSave(form.parse(editor.form.getValues()))
  }
  const cancel = (): void => {
    editor.discardDraft()
    onCancel()
  }
  const showMore = (): void => {
    editor.discardDraft()
    onMoreFields?.(editor.form.getValues())
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    save()
  }
  const handleKey = (event: KeyboardEvent): void => {
    event.stopPropagation() // so that no key runs a shortcut of the page or of what is around the editor
    if (event.nativeEvent.isComposing) return // the key belongs to an input method, for example for Chinese
    const hasModifier = event.ctrlKey || event.metaKey
    if (event.key === 'Escape' && !event.defaultPrevented) cancel()
    if (event.key === 'Enter' && hasModifier && !event.defaultPrevented) save()
    if (event.key === 'Escape' || (event.key === 'Enter' && hasModifier)) event.preventDefault()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of its inputs
    <form className={classes['editor']} noValidate autoComplete="off" onSubmit={submit} onKeyDown={handleKey}>
      {names.map((field) => (
        <FieldInput key={field} inputs={inputs} editor={editor} field={field} record={undefined} />
      ))}
      <div className={classes['buttons']}>
        {onMoreFields && (
          <Button variant="subtle" className={classes['more'] ?? ''} onClick={showMore}>
            More fields
          </Button>
        )}
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button type="submit" variant="default">
          Done
        </Button>
      </div>
    </form>
  )
}

/** Describes a form with some fields of a kind, which is not saved to the server. */
function createValuesForm({ fields, input }: EditedKind, draftName: string, names: readonly string[]): RecordForm<SavedRecord> {
  const partialInput = z.partial(input)
  return {
    draftName,
    labels: Object.fromEntries(names.map((name) => [name, fields[name]?.label ?? name])),
    valuesSchema: FieldValues,
    inputSchema: partialInput,
    toValues: () => ({}),
    parse: (values) => z.parse(partialInput, values),
    save: () => Promise.reject(new Error('These values are not saved on their own')),
  }
}

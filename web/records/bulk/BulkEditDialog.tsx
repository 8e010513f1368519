import '#web/ui/dialogs.css'
import { parseNumber } from '#web/lib/numbers.ts'
import { Button, Modal, NativeSelect, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { FilterType } from '#contract/lists.ts'
import { CheckboxList } from '#web/ui/CheckboxList.tsx'
import type { BulkSelection } from './selection.ts'
import type { KindField, RecordKind } from '#web/records/kind/kind.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { bulkErrorMessage, useBulkEdit, type BulkKind } from './bulkChanges.ts'
import classes from '#web/ui/DialogForm.module.css'
import { LinkSelect } from '#web/records/links/LinkSelect.tsx'
import { DayInput } from '#web/records/form/DayInput.tsx'
import { describeDayFormat, parseTypedDay } from '#web/records/form/typedDay.ts'

type BulkEditDialogProps = {
  kind: BulkKind & Pick<RecordKind<{ id: string }>, 'fields' | 'filters' | 'bulkFields'>
  selection: BulkSelection
  /** The number of selected records with the name of the kind: "12 contacts". */
  countLabel: string
  onClose: () => void
}

/** The value of the checkbox that clears the field. */
const clearOption = 'clear'
const noValue: EnteredValue = { text: '', id: null, title: '' }

/** Sets a field to the same value in all selected records. */
export function BulkEditDialog({ kind, selection, countLabel, onClose }: BulkEditDialogProps) {
  const fields = getBulkFields(kind)
  const [field, setField] = useState(fields[0])
  const [enteredValue, setEnteredValue] = useState(noValue)
  const [isCleared, setCleared] = useState(false)
  const editing = useBulkEdit(kind, selection)
  useReturnFocus()
  if (!field) return null
  const value = isCleared ? getEmptyValue(field.type) : parseValue(field.type, enteredValue)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (value === undefined) return
    const linkedTitle = isCleared ? '' : enteredValue.title
    editing.mutate(toFieldValues(field, value, linkedTitle), { onSuccess: onClose })
  }
  const selectField = (name: string): void => {
    setField(fields.find((each) => each.name === name))
    setEnteredValue(noValue)
    setCleared(false)
    editing.reset()
  }
  return (
    <Modal opened onClose={onClose} title={`Edit ${countLabel}`} size={440}>
      <form className={classes['form']} onSubmit={submit} noValidate>
        <NativeSelect
          label="Field"
          data-autofocus
          value={field.name}
          data={fields.map(({ name, label }) => ({ value: name, label }))}
          onChange={(event) => selectField(event.currentTarget.value)}
        />
        <BulkValue key={field.name} field={field} enteredValue={enteredValue} disabled={isCleared} onChange={setEnteredValue} />
        {!field.required && (
          <CheckboxList
            label="Instead of a value"
            choices={[{ value: clearOption, label: `Clear this field in ${countLabel}` }]}
            selected={isCleared ? [clearOption] : []}
            onChange={(values) => setCleared(values.length > 0)}
          />
        )}
        {editing.error && (
          <p className={classes['error']} role="alert">
            {bulkErrorMessage(editing.error)}
          </p>
        )}
        <div className={classes['actions']}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={value === undefined} loading={editing.isPending}>
            Update {countLabel}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

type BulkField = KindField & { name: string; type: FilterType }

const getBulkFields = ({ fields, filters, bulkFields }: BulkEditDialogProps['kind']): BulkField[] =>
  bulkFields.flatMap((name) => {
    const field = fields[name]
    return field ? [{ ...field, name, type: filters[name] ?? 'text' }] : []
  })

type Value = string | number | null

/** The value of a field that is cleared. */
const getEmptyValue = (type: FilterType): Value => (type === 'text' || type === 'choice' ? '' : null)

/** Converts the entered value for the server. Returns undefined while nothing is entered, or while the text is no valid date or number. */
function parseValue(type: FilterType, { text, id }: EnteredValue): Value | undefined {
  if (type === 'link') return id ?? undefined
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (type === 'date') return parseTypedDay(trimmed)
  return type === 'number' ? parseNumber(trimmed) : trimmed
}

/** The changed fields of each record. For a link they include the field with the title of the linked record. */
const toFieldValues = ({ name, titleField }: BulkField, value: Value, linkedTitle: string): Record<string, Value> => ({
  [name]: value,
  ...(titleField && { [titleField]: linkedTitle }),
})

/** The content of the value field: a text, or for a link field the id and the title of the selected record. */
type EnteredValue = { text: string; id: string | null; title: string }

type BulkValueProps = {
  field: BulkField
  enteredValue: EnteredValue
  disabled: boolean
  onChange: (enteredValue: EnteredValue) => void
}

/** The maximum length of a value in characters. */
const maxLength = 200

function BulkValue({ field, enteredValue, disabled, onChange }: BulkValueProps) {
  const setText = (text: string): void => onChange({ ...enteredValue, text })
  if (field.type === 'link' && field.linksTo)
    return (
      <LinkSelect
        label={field.label}
        linkedKind={field.linksTo}
        selectedId={enteredValue.id}
        disabled={disabled}
        onSelect={(id, title) => onChange({ ...enteredValue, id, title })}
      />
    )
  if (field.type === 'choice')
    return (
      <NativeSelect
        label={field.label}
        disabled={disabled}
        value={enteredValue.text}
        data={[{ value: '', label: 'Choose' }, ...(field.choices ?? [])]}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    )
  if (field.type === 'date') return <DayField label={field.label} disabled={disabled} value={enteredValue.text} onChange={setText} />
  return (
    <TextInput
      inputMode={field.type === 'number' ? 'decimal' : undefined}
      label={field.label}
      disabled={disabled}
      maxLength={maxLength}
      value={enteredValue.text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  )
}

type DayFieldProps = { label: string; disabled: boolean; value: string; onChange: (value: string) => void }

/** A date. The error appears when the user leaves the field. */
function DayField({ value, onChange, ...props }: DayFieldProps) {
  const [showsError, setShowsError] = useState(false)
  const isValid = value.trim() === '' || parseTypedDay(value) !== undefined
  return (
    <DayInput
      {...props}
      value={value}
      error={showsError && !isValid && describeDayFormat()}
      onChange={(next) => {
        setShowsError(false)
        onChange(next)
      }}
      onBlur={() => setShowsError(true)}
    />
  )
}

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

type BulkEditDialogProps = {
  kind: BulkKind & Pick<RecordKind<{ id: string }>, 'fields' | 'filters' | 'bulkFields'>
  selection: BulkSelection
  /** "12 contacts" */
  words: string
  onClose: () => void
}

const cleared = 'cleared'
const noValue: EnteredValue = { text: '', id: null, name: '' }

/** Sets a field to the same value in all selected records. */
export function BulkEditDialog({ kind, selection, words, onClose }: BulkEditDialogProps) {
  const fields = toBulkFields(kind)
  const [field, setField] = useState(fields[0])
  const [entered, setEntered] = useState(noValue)
  const [isCleared, setCleared] = useState(false)
  const editing = useBulkEdit(kind, selection)
  useReturnFocus()
  if (!field) return null
  const value = isCleared ? emptyValue(field.type) : parseValue(field.type, entered)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (value === undefined) return
    editing.mutate(toFields(field, value, isCleared ? '' : entered.name), { onSuccess: onClose })
  }
  const choose = (name: string): void => {
    setField(fields.find((each) => each.name === name))
    setEntered(noValue)
    setCleared(false)
    editing.reset()
  }
  return (
    <Modal opened onClose={onClose} title={`Edit ${words}`} size={440}>
      <form className={classes['form']} onSubmit={submit} noValidate>
        <NativeSelect
          label="Field"
          data-autofocus
          value={field.name}
          data={fields.map(({ name, label }) => ({ value: name, label }))}
          onChange={(event) => choose(event.currentTarget.value)}
        />
        <BulkValue key={field.name} field={field} entered={entered} disabled={isCleared} onChange={setEntered} />
        {!field.required && (
          <CheckboxList
            label="Instead of a value"
            choices={[{ value: cleared, label: `Clear this field in ${words}` }]}
            chosen={isCleared ? [cleared] : []}
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
            Update {words}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

type BulkField = KindField & { name: string; type: FilterType }

const toBulkFields = ({ fields, filters, bulkFields }: BulkEditDialogProps['kind']): BulkField[] =>
  bulkFields.flatMap((name) => {
    const field = fields[name]
    return field ? [{ ...field, name, type: filters[name] ?? 'text', label: field.bulkLabel ?? field.label }] : []
  })

type Value = string | number | null

const emptyValue = (type: FilterType): Value => (type === 'text' || type === 'choice' ? '' : null)

/** The value for the server; undefined while nothing is entered. */
function parseValue(type: FilterType, { text, id }: EnteredValue): Value | undefined {
  if (type === 'link') return id ?? undefined
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return type === 'number' ? parseNumber(trimmed) : trimmed
}

const toFields = ({ name, titleInto }: BulkField, value: Value, linkedTitle: string): Record<string, Value> => ({
  [name]: value,
  ...(titleInto && { [titleInto]: linkedTitle }),
})

/** The entered value: a text, or the linked record. */
type EnteredValue = { text: string; id: string | null; name: string }

type BulkValueProps = {
  field: BulkField
  entered: EnteredValue
  disabled: boolean
  onChange: (entered: EnteredValue) => void
}

const maxLength = 200
const inputs: Partial<Record<FilterType, object>> = { number: { inputMode: 'decimal' }, date: { type: 'date' } }

function BulkValue({ field, entered, disabled, onChange }: BulkValueProps) {
  const setText = (text: string): void => onChange({ ...entered, text })
  if (field.type === 'link' && field.linksTo)
    return (
      <LinkSelect
        label={field.label}
        to={field.linksTo}
        chosen={entered.id}
        disabled={disabled}
        onChoose={(id, name) => onChange({ ...entered, id, name })}
      />
    )
  if (field.type === 'choice')
    return (
      <NativeSelect
        label={field.label}
        disabled={disabled}
        value={entered.text}
        data={[{ value: '', label: 'Choose' }, ...(field.choices ?? [])]}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    )
  return (
    <TextInput
      {...inputs[field.type]}
      label={field.label}
      disabled={disabled}
      maxLength={maxLength}
      value={entered.text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  )
}

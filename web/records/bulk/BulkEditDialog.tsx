import { parseNumber } from '#web/lib/numbers.ts'
import { Button, Modal, NativeSelect, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { FilterType } from '#contract/lists.ts'
import { CheckboxList } from '#web/ui/CheckboxList.tsx'
import type { BulkSelection } from '#web/records/bulk/selection.ts'
import type { ListField, ListKind } from '#web/records/kind/kind.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { reasonOf, useBulkEdit, type BulkKind } from './bulkChanges.ts'
import classes from '#web/ui/DialogForm.module.css'
import { LinkSelect } from '#web/records/links/LinkSelect.tsx'

type BulkEditDialogProps = {
  kind: BulkKind & Pick<ListKind<{ id: string }>, 'fields' | 'filters' | 'bulk'>
  chosen: BulkSelection
  /** "12 contacts" */
  words: string
  onClose: () => void
}

const emptied = 'emptied'
const nothing: Typed = { text: '', id: null, name: '' }

/** Gives one field the same value in all that are selected. */
export function BulkEditDialog({ kind, chosen, words, onClose }: BulkEditDialogProps) {
  const fields = kind.bulk.flatMap((name) => asBulkField(kind.fields.find((field) => field.name === name)))
  const [field, setField] = useState(fields[0])
  const [typed, setTyped] = useState(nothing)
  const [isEmptied, setEmptied] = useState(false)
  const editing = useBulkEdit(kind, chosen)
  useReturnFocus()
  if (!field) return null
  const fieldKind = kind.filters[field.name] ?? 'text'
  const value = isEmptied ? emptyOf(fieldKind) : valueOf(fieldKind, typed)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (value === undefined) return
    editing.mutate(changesOf(field, value, isEmptied ? '' : typed.name), { onSuccess: onClose })
  }
  const choose = (name: string): void => {
    setField(fields.find((each) => each.name === name))
    setTyped(nothing)
    setEmptied(false)
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
        <BulkValue key={field.name} field={field} kind={fieldKind} typed={typed} disabled={isEmptied} onChange={setTyped} />
        {!field.required && (
          <CheckboxList
            label="Instead of a value"
            choices={[{ value: emptied, label: `Clear this field in ${words}` }]}
            chosen={isEmptied ? [emptied] : []}
            onChange={(turned) => setEmptied(turned.length > 0)}
          />
        )}
        {editing.error && (
          <p className={classes['error']} role="alert">
            {reasonOf(editing.error)}
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

const asBulkField = (field: ListField | undefined): ListField[] => (field ? [{ ...field, label: field.bulkLabel ?? field.label }] : [])

type Value = string | number | null

const emptyOf = (kind: FilterType): Value => (kind === 'text' || kind === 'choice' ? '' : null)

/** What goes to the server; undefined while there is nothing yet. */
function valueOf(kind: FilterType, { text, id }: Typed): Value | undefined {
  if (kind === 'link') return id ?? undefined
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return kind === 'number' ? parseNumber(trimmed) : trimmed
}

const changesOf = ({ name, nameInto }: ListField, value: Value, linkedName: string): Record<string, Value> => ({
  [name]: value,
  ...(nameInto && { [nameInto]: linkedName }),
})

/** What was entered for a field: as text, or what a link leads to. */
export type Typed = { text: string; id: string | null; name: string }

type BulkValueProps = {
  field: ListField
  kind: FilterType
  typed: Typed
  disabled: boolean
  onChange: (typed: Typed) => void
}

const mostLetters = 200
const inputs: Partial<Record<FilterType, object>> = { number: { inputMode: 'decimal' }, date: { type: 'date' } }

/** Where the value is entered that all of them get. */
export function BulkValue({ field, kind, typed, disabled, onChange }: BulkValueProps) {
  const setText = (text: string): void => onChange({ ...typed, text })
  if (kind === 'link' && field.linksTo)
    return (
      <LinkSelect
        label={field.label}
        to={field.linksTo}
        chosen={typed.id}
        disabled={disabled}
        onChoose={(id, name) => onChange({ ...typed, id, name })}
      />
    )
  if (kind === 'choice')
    return (
      <NativeSelect
        label={field.label}
        disabled={disabled}
        value={typed.text}
        data={[{ value: '', label: 'Choose' }, ...(field.choices ?? [])]}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    )
  return (
    <TextInput
      {...inputs[kind]}
      label={field.label}
      disabled={disabled}
      maxLength={mostLetters}
      value={typed.text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  )
}

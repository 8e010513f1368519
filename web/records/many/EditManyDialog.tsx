import { readNumber } from '#web/lib/numbers.ts'
import { Button, Modal, NativeSelect } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { FilterType } from '#contract/lists.ts'
import { CheckboxList } from '#web/ui/CheckboxList.tsx'
import { BulkValue, type Typed } from './BulkValue.tsx'
import type { Chosen } from './chosen.ts'
import type { ListField, ListKind } from '#web/records/list/listKind.ts'
import { useFocusBack } from '#web/records/useFocusBack.ts'
import { reasonOf, useEditMany, type ManyKind } from './many.ts'
import classes from './ManyDialogs.module.css'

type EditManyDialogProps = {
  kind: ManyKind & Pick<ListKind<{ id: string }>, 'fields' | 'filters' | 'bulk'>
  chosen: Chosen
  /** "12 contacts" */
  words: string
  onClose: () => void
}

const emptied = 'emptied'
const nothing: Typed = { text: '', id: null, name: '' }

/** Gives one field the same value in all that are selected. */
export function EditManyDialog({ kind, chosen, words, onClose }: EditManyDialogProps) {
  const fields = kind.bulk.flatMap((name) => asBulkField(kind.fields.find((field) => field.name === name)))
  const [field, setField] = useState(fields[0])
  const [typed, setTyped] = useState(nothing)
  const [isEmptied, setEmptied] = useState(false)
  const editing = useEditMany(kind, chosen)
  useFocusBack()
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
  return kind === 'number' ? readNumber(trimmed) : trimmed
}

const changesOf = ({ name, nameInto }: ListField, value: Value, linkedName: string): Record<string, Value> => ({
  [name]: value,
  ...(nameInto && { [nameInto]: linkedName }),
})

import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { nameFields, type FieldType, type FormField } from '#contract/formFields.ts'
import { FieldCard } from './FieldCard.tsx'
import { newField } from './fieldDrafts.ts'
import { useFieldOrder } from './useFieldOrder.ts'
import classes from './FieldList.module.css'

type FieldListProps = {
  label: string
  addLabel: string
  maxFields: number
  /** The types that a field can have. */
  types: readonly FieldType[]
  fields: readonly FormField[]
  /** The fields as they were saved, and the form's next number for automatic names, from which the server names fields without a name. */
  savedFields: readonly FormField[]
  nextNumber?: number
  /** The error messages by the id of the field and its property, such as `{id}.field_label`. That of the whole list has an empty name. */
  errors: Readonly<Record<string, string>>
  onChange: (fields: FormField[]) => void
}

/** Adds, changes, removes and reorders the fields of a form. */
export function FieldList({ label, addLabel, maxFields, types, fields, savedFields, nextNumber, errors, onChange }: FieldListProps) {
  const { listRef, draggedId, announcement, handleKey } = useFieldOrder({ fields, onMove: (from, to) => onChange(move(fields, from, to)) })
  const addButton = useRef<HTMLButtonElement>(null)
  /** The names that the server gives to fields without one. */
  const names = nameFields(fields, { saved: savedFields, ...(nextNumber !== undefined && { nextNumber }) }).map(
    ({ field_name: name }) => name,
  )
  const add = (): void => {
    const field = newField()
    flushSync(() => onChange([...fields, field])) // the label must exist before it can be focused
    document.querySelector<HTMLElement>(`[data-field-label="${field.id}"]`)?.focus()
  }
  /** Removes a field, and focuses the handle of the field that takes its place, of the last field, or the button that adds a field. */
  const remove = (index: number): void => {
    const neighbour = fields[index + 1] ?? fields[index - 1]
    flushSync(() => onChange(fields.toSpliced(index, 1))) // before the change, the button that adds a field may be disabled
    const handle = neighbour && document.querySelector<HTMLElement>(`[data-drag-field="${neighbour.id}"]`)
    const target = handle ?? addButton.current
    target?.focus()
  }
  return (
    <>
      <ul className={classes['cards']} ref={listRef} aria-label={label}>
        {fields.map((field, index) => (
          <FieldCard
            key={field.id}
            field={field}
            index={index}
            defaultName={names[index] ?? ''}
            types={types}
            errors={selectFieldErrors(errors, field.id)}
            isDragged={draggedId === field.id}
            onChange={(changes) => onChange(fields.map((each) => (each.id === field.id ? { ...each, ...changes } : each)))}
            onRemove={() => remove(index)}
            onDragHandleKeyDown={(event) => handleKey(event, index)}
          />
        ))}
      </ul>
      {errors[''] && (
        <p className={classes['error']} role="alert">
          {errors['']}
        </p>
      )}
      <Button
        ref={addButton}
        variant="default"
        className={classes['add']}
        leftSection={<IconPlus size={16} stroke={1.75} />}
        disabled={fields.length >= maxFields}
        onClick={add}
      >
        {addLabel}
      </Button>
      <p className={classes['announcement']} aria-live="polite">
        {announcement}
      </p>
    </>
  )
}

/** Returns the error messages of the field with this id, by the name of its property. */
const selectFieldErrors = (errors: Readonly<Record<string, string>>, id: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([name, text]) => {
      const [fieldId, property = ''] = name.split('.')
      return fieldId === id ? [[property, text]] : []
    }),
  )

function move(fields: readonly FormField[], from: number, to: number): FormField[] {
  const movedFields = fields.slice(from, from + 1)
  const others = fields.toSpliced(from, 1)
  return others.toSpliced(to, 0, ...movedFields)
}

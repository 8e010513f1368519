import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { FieldType, FormField } from '#contract/formFields.ts'
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
  /** The messages by path, such as `0.field_label`; that of the whole list has an empty path. */
  errors: Readonly<Record<string, string>>
  onChange: (fields: FormField[]) => void
}

/** The fields of a form, which are added, changed, removed and put in order. */
export function FieldList({ label, addLabel, maxFields, types, fields, errors, onChange }: FieldListProps) {
  const { setList, draggedId, announcement, handleKey } = useFieldOrder({ fields, onMove: (from, to) => onChange(move(fields, from, to)) })
  const add = (): void => {
    const field = newField()
    onChange([...fields, field])
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-field-label="${field.id}"]`)?.focus())
  }
  return (
    <>
      <ul className={classes['cards']} ref={setList} aria-label={label}>
        {fields.map((field, index) => (
          <FieldCard
            key={field.id}
            field={field}
            index={index}
            types={types}
            errors={errorsOf(errors, index)}
            isDragged={draggedId === field.id}
            onChange={(changes) => onChange(fields.map((each) => (each.id === field.id ? { ...each, ...changes } : each)))}
            onRemove={() => onChange(fields.filter(({ id }) => id !== field.id))}
            onHandleKey={(event) => handleKey(event, index)}
          />
        ))}
      </ul>
      {errors[''] && (
        <p className={classes['error']} role="alert">
          {errors['']}
        </p>
      )}
      <Button
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

/** Returns the messages of one field by the name of its part. */
const errorsOf = (errors: Readonly<Record<string, string>>, index: number): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([path, text]) => {
      const [position, part = ''] = path.split('.')
      return position === String(index) ? [[part, text]] : []
    }),
  )

function move(fields: readonly FormField[], from: number, to: number): FormField[] {
  const moved = fields.slice(from, from + 1)
  const others = fields.toSpliced(from, 1)
  return others.toSpliced(to, 0, ...moved)
}

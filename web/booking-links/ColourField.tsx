import { toText } from '#web/records/form/fields.ts'
import { RecordField } from '#web/records/form/RecordField.tsx'
import type { FieldProps } from '#web/records/form/RecordInputs.tsx'
import classes from './bookingLinks.module.css'

const colours = [
  { value: '#3B82F6', name: 'Blue' },
  { value: '#0D9488', name: 'Teal' },
  { value: '#22A355', name: 'Green' },
  { value: '#EAA10B', name: 'Yellow' },
  { value: '#EA6A1F', name: 'Orange' },
  { value: '#DC4545', name: 'Red' },
  { value: '#8257D9', name: 'Purple' },
] as const

/** The colour of a booking link: one of the listed colours, or any other colour from the picker of the browser. */
export function ColourField({ editor, field }: FieldProps) {
  const { form, labels } = editor
  const selected = toText(form.getValues()[field])
  const select = (colour: string): void => form.setFieldValue(field, colour.toUpperCase())
  return (
    <RecordField editor={editor} field={field}>
      <div>
        <span className={classes['label']} aria-hidden>
          {labels[field]}
        </span>
        <div className={classes['colour']} role="radiogroup" aria-label={labels[field]}>
          {colours.map(({ value, name }) => (
            <span key={value} className={classes['swatch']}>
              <input
                type="radio"
                name={field}
                aria-label={name}
                title={name}
                style={{ color: value }}
                checked={selected.toUpperCase() === value}
                onChange={() => select(value)}
              />
            </span>
          ))}
          <input
            type="color"
            className={classes['picker']}
            aria-label="Another colour"
            title="Another colour"
            value={selected || '#3B82F6'}
            onChange={(event) => select(event.currentTarget.value)}
          />
        </div>
      </div>
    </RecordField>
  )
}

import '#web/ui/choices.css'
import { Select, Textarea, TextInput, type SelectProps, type TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { onDropdownKeyDown } from '#web/ui/dropdownKeys.ts'
import { DayInput } from './DayInput.tsx'
import { toText } from './fields.ts'
import { RecordField } from './RecordField.tsx'
import classes from './RecordInputs.module.css'
import { formatTypedDay } from './typedDay.ts'
import type { RecordEditor } from './useRecordEditor.ts'

export type FieldProps = { editor: RecordEditor; field: string; required?: boolean }

type FieldPairProps = { isStackedOnPhones?: boolean; children: ReactNode }

/** Two fields side by side, or one below the other on phones if their values are long. */
export const FieldPair = ({ isStackedOnPhones = false, children }: FieldPairProps) => (
  <div className={classes['pair']} data-stacked-on-phones={isStackedOnPhones || undefined}>
    {children}
  </div>
)

/** A group of fields with a heading. */
export const FieldSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={classes['section']}>
    <legend>{title}</legend>
    {children}
  </fieldset>
)

/** A single-line text field. */
export function TextField({ editor, field, required = false, ...props }: FieldProps & TextInputProps) {
  return (
    <RecordField editor={editor} field={field}>
      <TextInput {...inputProps({ editor, field, required })} {...props} />
    </RecordField>
  )
}

/** A number as the user types it: "1,284.50". `numberFromText` in the schema of the kind converts the text. */
export const NumberField = (props: FieldProps & TextInputProps) => <TextField inputMode="decimal" {...props} />

/** A date, which the user types in the format of their country. `dateFromText` in the schema of the kind refuses other texts. */
export function DateField({ editor, field, required = false }: FieldProps) {
  const { onChange, ...props } = inputProps({ editor, field, required })
  const change = (value: string, { isFromCalendar }: { isFromCalendar: boolean }): void => {
    onChange(value)
    if (isFromCalendar) queueMicrotask(() => editor.saveInPlace?.())
  }
  return (
    <RecordField editor={editor} field={field} renderValue={formatTypedDay}>
      <DayInput {...props} onChange={change} />
    </RecordField>
  )
}

/** A multiline text field that grows with its text. */
export function MultilineField({ editor, field, minRows = 3, maxRows = 12 }: FieldProps & { minRows?: number; maxRows?: number }) {
  return (
    <RecordField editor={editor} field={field}>
      <Textarea {...inputProps({ editor, field })} autosize minRows={minRows} maxRows={maxRows} />
    </RecordField>
  )
}

type ChoiceFieldProps = FieldProps & {
  choices: readonly { value: string; label: string }[]
  leftSection?: ReactNode
  isSearchable?: boolean
}

const searchProps: SelectProps = {
  searchable: true,
  selectFirstOptionOnChange: true,
  limit: 100,
  nothingFoundMessage: 'Nothing found',
  onFocus: (event) => event.currentTarget.select(), // selects the text, so that typing replaces it
}

/** A select. A `required` field always contains one of the values. `isSearchable` is for many values: typing filters them. */
export function ChoiceField({ editor, field, required = false, choices, leftSection, isSearchable = false }: ChoiceFieldProps) {
  const { onChange, ...props } = inputProps({ editor, field, required })
  return (
    <RecordField editor={editor} field={field} renderValue={(value) => choices.find((choice) => choice.value === value)?.label ?? value}>
      <Select
        {...props}
        required={false} // FieldLabel shows which fields are optional
        data={[...choices]}
        allowDeselect={false}
        leftSection={leftSection}
        {...(isSearchable && searchProps)}
        onChange={(value) => onChange(value ?? '')}
        // saves in a microtask, because Mantine calls `onOptionSubmit` before `onChange`
        onOptionSubmit={() => queueMicrotask(() => editor.saveInPlace?.())}
        onKeyDown={onDropdownKeyDown}
      />
    </RecordField>
  )
}

/** The label of a field. Optional fields are marked, required fields are not. */
export const FieldLabel = ({ editor: { labels }, field, required = false }: FieldProps) => (
  <>
    {labels[field] ?? field}
    {!required && <span className={classes['optional']}> optional</span>}
  </>
)

const inputProps = ({ editor, field, required = false }: FieldProps) => ({
  label: <FieldLabel editor={editor} field={field} required={required} />,
  name: field,
  required,
  withAsterisk: false,
  ...editor.form.getInputProps(field),
  value: toText(editor.form.getValues()[field]),
})

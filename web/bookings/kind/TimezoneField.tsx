import { useMemo } from 'react'
import { listTimezones } from '#web/lib/localeChoices.ts'
import { toText } from '#web/records/form/fields.ts'
import { ChoiceField, type FieldProps } from '#web/records/form/RecordInputs.tsx'

/** The time zone of the visitor, in which mails and pages show the times. */
export function TimezoneField({ editor, field }: FieldProps) {
  const timezone = toText(editor.form.getValues()[field])
  const choices = useMemo(() => listTimezones(timezone), [timezone])
  return <ChoiceField editor={editor} field={field} required choices={choices} isSearchable />
}

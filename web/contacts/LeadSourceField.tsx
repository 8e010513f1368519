import { Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { leadSources, type Contact } from '#contract/contacts.ts'
import type { FieldValues } from '#web/records/form/fields.ts'
import { FieldLabel } from './FieldLabel.tsx'
import { onDropdownKeyDown } from '#web/ui/dropdownKeys.ts'

type LeadSourceFieldProps = { form: UseFormReturnType<FieldValues>; contact: Contact | undefined }

/** Where a contact came from. What an import brought stays among the choices. */
export function LeadSourceField({ form, contact }: LeadSourceFieldProps) {
  const brought = contact?.lead_source ?? ''
  const choices = new Set<string>(brought ? [...leadSources, brought] : leadSources)
  return (
    <Select
      label={<FieldLabel field="lead_source" />}
      name="lead_source"
      data={[{ value: '', label: 'None' }, ...choices]}
      allowDeselect={false}
      {...form.getInputProps('lead_source')}
      onKeyDown={onDropdownKeyDown}
    />
  )
}

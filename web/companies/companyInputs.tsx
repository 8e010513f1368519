import type { Company } from '#contract/companies.ts'
import type { FieldInputs } from '#web/records/form/FieldInput.tsx'
import { NumberField, TextField } from '#web/records/form/RecordInputs.tsx'
import { TagsField } from '#web/records/form/TagsField.tsx'
import { companyKind } from './companyKind.tsx'

/** The inputs of the fields of a company. */
export const companyInputs: FieldInputs<Company> = {
  name: ({ editor, field }) => <TextField editor={editor} field={field} required data-autofocus />,
  industry: ({ editor, field }) => <TextField editor={editor} field={field} />,
  employees_count: ({ editor, field }) => <NumberField editor={editor} field={field} inputMode="numeric" />,
  website: ({ editor, field }) => <TextField editor={editor} field={field} type="url" placeholder="https://" />,
  phone: ({ editor, field }) => <TextField editor={editor} field={field} type="tel" />,
  email: ({ editor, field }) => <TextField editor={editor} field={field} type="email" inputMode="email" />,
  tags: ({ editor }) => <TagsField editor={editor} kind={companyKind} />,
}

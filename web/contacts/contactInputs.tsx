import { leadSources, type Contact } from '#contract/contacts.ts'
import type { FieldInputs } from '#web/records/form/FieldInput.tsx'
import { LinkField } from '#web/records/form/LinkField.tsx'
import { ChoiceField, MultilineField, TextField, type FieldProps } from '#web/records/form/RecordInputs.tsx'
import { TagsField } from '#web/records/form/TagsField.tsx'
import { CompanyField } from './CompanyField.tsx'
import { contactKind } from './contactKind.tsx'

const PlainTextField = ({ editor, field }: FieldProps) => <TextField editor={editor} field={field} />
const RequiredTextField = ({ editor, field }: FieldProps) => <TextField editor={editor} field={field} required />
const PhoneField = ({ editor, field }: FieldProps) => <TextField editor={editor} field={field} type="tel" />

/** The inputs of the fields of a contact. The input of `company` also sets `company_id`. */
export const contactInputs: FieldInputs<Contact> = {
  first_name: RequiredTextField,
  last_name: RequiredTextField,
  email: ({ editor, field }) => <TextField editor={editor} field={field} type="email" inputMode="email" />,
  phone: PhoneField,
  mobile_phone: PhoneField,
  company: ({ editor }) => <CompanyField editor={editor} />,
  title: PlainTextField,
  department: PlainTextField,
  reports_to_id: ({ editor, field, record }) => (
    <LinkField
      editor={editor}
      field={field}
      linkedKind="contact"
      excludedId={record?.id}
      savedLink={record && { id: record.reports_to_id, title: record.reports_to_name }}
    />
  ),
  mailing_street: PlainTextField,
  mailing_city: PlainTextField,
  mailing_postal_code: PlainTextField,
  mailing_state: PlainTextField,
  mailing_country: PlainTextField,
  lead_source: ({ editor, field, record }) => <ChoiceField editor={editor} field={field} choices={listLeadSourceChoices(record)} />,
  tags: ({ editor }) => <TagsField editor={editor} kind={contactKind} />,
  description: ({ editor, field }) => <MultilineField editor={editor} field={field} minRows={4} maxRows={16} />,
}

/** Adds an imported lead source to the choices, so that saving the form does not remove it. */
function listLeadSourceChoices(contact: Contact | undefined): { value: string; label: string }[] {
  const sources = new Set<string>([...leadSources, contact?.lead_source ?? ''])
  sources.delete('')
  return [{ value: '', label: 'None' }, ...[...sources].map((source) => ({ value: source, label: source }))]
}

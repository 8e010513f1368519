import type { Task } from '#contract/tasks.ts'
import type { FieldInputs } from '#web/records/form/FieldInput.tsx'
import { LinkField } from '#web/records/form/LinkField.tsx'
import { ChoiceField, DateField, MultilineField, TextField } from '#web/records/form/RecordInputs.tsx'
import { priorityChoices, statusChoices } from './taskLabels.ts'

/** The inputs of the fields of a task. */
export const taskInputs: FieldInputs<Task> = {
  title: ({ editor, field }) => <TextField editor={editor} field={field} required data-autofocus maxLength={200} />,
  due_date: ({ editor, field }) => <DateField editor={editor} field={field} />,
  priority: ({ editor, field }) => <ChoiceField editor={editor} field={field} choices={priorityChoices} />,
  status: ({ editor, field }) => <ChoiceField editor={editor} field={field} choices={statusChoices} />,
  contact_id: ({ editor, field, record }) => (
    <LinkField
      editor={editor}
      field={field}
      linkedKind="contact"
      savedLink={record && { id: record.contact_id, title: record.contact_name }}
    />
  ),
  deal_id: ({ editor, field, record }) => (
    <LinkField editor={editor} field={field} linkedKind="deal" savedLink={record && { id: record.deal_id, title: record.deal_title }} />
  ),
  description: ({ editor, field }) => <MultilineField editor={editor} field={field} />,
}

import type { Task } from '#contract/tasks.ts'
import type { FieldInputs } from '#web/records/form/FieldInput.tsx'
import { createLinkInput } from '#web/records/form/LinkField.tsx'
import { ChoiceField, DateField, MultilineField, TextField } from '#web/records/form/RecordInputs.tsx'
import { priorityChoices, statusChoices } from './taskLabels.ts'

/** The inputs of the fields of a task. */
export const taskInputs: FieldInputs<Task> = {
  title: ({ editor, field }) => <TextField editor={editor} field={field} required data-autofocus maxLength={200} />,
  due_date: ({ editor, field }) => <DateField editor={editor} field={field} />,
  priority: ({ editor, field }) => <ChoiceField editor={editor} field={field} choices={priorityChoices} />,
  status: ({ editor, field }) => <ChoiceField editor={editor} field={field} choices={statusChoices} />,
  contact_id: createLinkInput<Task>('contact', { getSavedLink: ({ contact_id: id, contact_name: title }) => ({ id, title }) }),
  deal_id: createLinkInput<Task>('deal', { getSavedLink: ({ deal_id: id, deal_title: title }) => ({ id, title }) }),
  description: ({ editor, field }) => <MultilineField editor={editor} field={field} />,
}

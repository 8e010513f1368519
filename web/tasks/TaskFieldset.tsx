import type { Task } from '#contract/tasks.ts'
import { LinkField } from '#web/records/form/LinkField.tsx'
import { ChoiceField, DateField, Pair, ProseField, TextField } from '#web/records/form/RecordInputs.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { priorityChoices, statusChoices } from './taskWords.ts'

type TaskFieldsetProps = { editor: RecordEditor; task?: Task | undefined }

/** What a person says about a task. */
export const TaskFieldset = ({ editor, task }: TaskFieldsetProps) => (
  <>
    <TextField editor={editor} field="title" required data-autofocus maxLength={200} />
    <Pair>
      <DateField editor={editor} field="due_date" />
      <ChoiceField editor={editor} field="priority" required choices={priorityChoices} />
    </Pair>
    <ChoiceField editor={editor} field="status" required choices={statusChoices} />
    <LinkField editor={editor} field="contact_id" to="contact" saved={task && { id: task.contact_id, name: task.contact_name }} />
    <LinkField editor={editor} field="deal_id" to="deal" saved={task && { id: task.deal_id, name: task.deal_title }} />
    <ProseField editor={editor} field="description" />
  </>
)

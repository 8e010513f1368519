import { getRouteApi } from '@tanstack/react-router'
import type { Task } from '#contract/tasks.ts'
import { LinkField } from '#web/records/form/LinkField.tsx'
import { AddDialog, EditDialog } from '#web/records/form/RecordDialog.tsx'
import { ChoiceField, DateField, FieldPair, MultilineField, TextField } from '#web/records/form/RecordInputs.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { getReturnAddress, getPrefilledFields } from './newTask.ts'
import { taskKind } from './taskKind.tsx'
import { priorityChoices, statusChoices } from './taskLabels.ts'

const newTaskRoute = getRouteApi('/signed-in/crm/tasks/new')

export function AddTaskDialog() {
  const search = newTaskRoute.useSearch()
  return (
    <AddDialog kind={taskKind} prefilledFields={getPrefilledFields(search)} returnAddress={getReturnAddress(search)}>
      {(editor) => <TaskFieldset editor={editor} />}
    </AddDialog>
  )
}

export const EditTaskDialog = () => (
  <EditDialog kind={taskKind}>{(editor, task) => <TaskFieldset editor={editor} task={task} />}</EditDialog>
)

type TaskFieldsetProps = { editor: RecordEditor; task?: Task | undefined }

const TaskFieldset = ({ editor, task }: TaskFieldsetProps) => (
  <>
    <TextField editor={editor} field="title" required data-autofocus maxLength={200} />
    <FieldPair>
      <DateField editor={editor} field="due_date" />
      <ChoiceField editor={editor} field="priority" choices={priorityChoices} />
    </FieldPair>
    <ChoiceField editor={editor} field="status" choices={statusChoices} />
    <LinkField
      editor={editor}
      field="contact_id"
      linkedKind="contact"
      savedLink={task && { id: task.contact_id, title: task.contact_name }}
    />
    <LinkField editor={editor} field="deal_id" linkedKind="deal" savedLink={task && { id: task.deal_id, title: task.deal_title }} />
    <MultilineField editor={editor} field="description" />
  </>
)

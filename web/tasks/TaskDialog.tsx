import { getRouteApi } from '@tanstack/react-router'
import type { Task } from '#contract/tasks.ts'
import { FieldInput } from '#web/records/form/FieldInput.tsx'
import { AddDialog, EditDialog } from '#web/records/form/RecordDialog.tsx'
import { FieldPair } from '#web/records/form/RecordInputs.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { getReturnAddress, getPrefilledFields } from './newTask.ts'
import { DueDateHint } from './DueDateHint.tsx'
import { useDueDateInTitle, type DueDateInTitle } from './useDueDateInTitle.ts'
import { taskInputs } from './taskInputs.tsx'
import { taskKind } from './taskKind.tsx'
import { createKindFields } from '#web/records/form/FieldsEditor.tsx'

const newTaskRoute = getRouteApi('/signed-in/crm/tasks/new')

export function AddTaskDialog() {
  const search = newTaskRoute.useSearch()
  const prefilledFields = getPrefilledFields(search)
  const dueDateInTitle = useDueDateInTitle(prefilledFields['due_date'] ?? '')
  return (
    <AddDialog
      kind={taskKind}
      prefilledFields={prefilledFields}
      returnAddress={getReturnAddress(search)}
      completeValues={dueDateInTitle.completeValues}
    >
      {(editor) => <TaskFieldset editor={editor} dueDateInTitle={dueDateInTitle} />}
    </AddDialog>
  )
}

export const EditTaskDialog = () => (
  <EditDialog kind={taskKind}>{(editor, task) => <TaskFieldset editor={editor} task={task} />}</EditDialog>
)

type TaskFieldsetProps = { editor: RecordEditor; task?: Task; dueDateInTitle?: DueDateInTitle }

function TaskFieldset({ editor, task, dueDateInTitle }: TaskFieldsetProps) {
  const inputProps = { inputs: taskInputs, editor, record: task }
  return (
    <>
      <FieldInput {...inputProps} field="title" />
      {dueDateInTitle && <DueDateHint editor={editor} dueDateInTitle={dueDateInTitle} />}
      <FieldPair>
        <FieldInput {...inputProps} field="due_date" />
        <FieldInput {...inputProps} field="priority" />
      </FieldPair>
      <FieldInput {...inputProps} field="status" />
      <FieldInput {...inputProps} field="contact_id" />
      <FieldInput {...inputProps} field="deal_id" />
      <FieldInput {...inputProps} field="description" />
    </>
  )
}

/** The fields of tasks and their inputs, for the proposals of the assistant. They need the same code as the form in this module. */
export const taskFields = createKindFields(taskKind, taskInputs)

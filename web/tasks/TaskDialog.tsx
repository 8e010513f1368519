import { getRouteApi } from '@tanstack/react-router'
import type { Task } from '#contract/tasks.ts'
import { FieldInput } from '#web/records/form/FieldInput.tsx'
import { AddDialog, EditDialog } from '#web/records/form/RecordDialog.tsx'
import { FieldPair } from '#web/records/form/RecordInputs.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { getReturnAddress, getPrefilledFields } from './newTask.ts'
import { taskInputs } from './taskInputs.tsx'
import { taskKind } from './taskKind.tsx'

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

function TaskFieldset({ editor, task }: { editor: RecordEditor; task?: Task }) {
  const inputProps = { inputs: taskInputs, editor, record: task }
  return (
    <>
      <FieldInput {...inputProps} field="title" />
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

import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { AddDialog, EditDialog } from '#web/records/form/RecordDialog.tsx'
import { fieldsOf, placeOf } from './newTask.ts'
import { taskQuery } from './queries.ts'
import { TaskFieldset } from './TaskFieldset.tsx'
import { taskKind } from './taskKind.ts'

const adding = getRouteApi('/signed-in/crm/tasks/new')
const editing = getRouteApi('/signed-in/crm/tasks/$id/edit')
const path = '/crm/tasks'

/** Adds a task. The address may say what it belongs to. */
export function NewTaskDialog() {
  const address = adding.useSearch()
  return (
    <AddDialog kind={taskKind} path={path} prefilled={fieldsOf(address)} addedTo={placeOf(address)}>
      {(editor) => <TaskFieldset editor={editor} />}
    </AddDialog>
  )
}

export const EditTaskDialog = () => (
  <EditDialog kind={taskKind} path={path} record={useQuery(taskQuery(editing.useParams().id))}>
    {(editor, task) => <TaskFieldset editor={editor} task={task} />}
  </EditDialog>
)

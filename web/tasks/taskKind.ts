import * as z from 'zod/mini'
import { emptyTask, TaskFields, taskRoutes, type Task } from '#contract/tasks.ts'
import { recordKinds } from '#contract/kinds.ts'
import { callForChange } from '#web/lib/client.ts'
import { exactDay } from '#web/lib/format.ts'
import { formKind } from '#web/records/form/recordForm.ts'
import { telling } from '#web/records/panel/timelineText.ts'
import { typedDate } from '#web/records/form/typedFields.ts'
import { priorityChoices, statusChoices } from './taskWords.ts'

/** What each field is called, in the order of the form. */
export const taskLabels: Record<keyof TaskFields, string> = {
  title: 'Title',
  due_date: 'Due date',
  priority: 'Priority',
  status: 'Status',
  contact_id: 'Contact',
  deal_id: 'Deal',
  description: 'Description',
}

const { shape } = TaskFields
const Typed = z.extend(TaskFields, { due_date: typedDate(shape.due_date) })
const Some = z.partial(Typed)
const New = z.extend(Some, { title: shape.title })

/** What the editor must know of tasks. */
export const taskKind = formKind<Task>({
  kind: recordKinds.task,
  labels: taskLabels,
  empty: emptyTask,
  accepts: Typed,
  create: (changes) => callForChange(taskRoutes.create, { body: New.parse(changes) }),
  update: (id, changes, version) => callForChange(taskRoutes.update, { params: { id }, body: { ...Some.parse(changes), version } }),
})

/** What happened to a task, in words. */
export const tellTask = telling({
  noun: 'task',
  labels: taskLabels,
  hidden: ['contact_id', 'deal_id', 'description'],
  words: (name, value) => {
    if (name === 'due_date' && typeof value === 'string') return exactDay(value)
    return [...statusChoices, ...priorityChoices].find((choice) => choice.value === value)?.label
  },
})

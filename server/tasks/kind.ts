// The record kind of tasks. The types in server/platform/records/kind.ts explain the options.
import { emptyTask, Task, taskColumns, taskFilters, TaskRow } from '#contract/tasks.ts'
import { recordKinds } from '#contract/kinds.ts'
import { defineKind, createTitleSql, createTextSort, type Fields, type Link } from '#server/platform/records/kind.ts'

const contact: Link = { field: 'contact_id', to: recordKinds.contact, titleField: 'contact_name' }
const deal: Link = { field: 'deal_id', to: recordKinds.deal, titleField: 'deal_title' }

export const tasks = defineKind({
  ...recordKinds.task,
  FullRecord: Task,
  Row: TaskRow,
  exportColumnNames: taskColumns,
  emptyRecord: emptyTask,
  titleOf: ({ title }) => String(title),
  searchResult: { sortColumn: 'title', title: 'c.title', detail: createTitleSql(contact) },
  sorts: {
    due_date: { column: 'due_date', type: 'date', emptyCondition: 'is null' },
    title: createTextSort('title'),
    // `priority_rank` is 1 for "low" to 3 for "high"; as texts, the priorities would be sorted high, low, medium
    priority: { column: 'priority_rank', type: 'int', emptyCondition: 'is null' },
  },
  filters: taskFilters,
  linksByConstraint: { tasks_contact: contact, tasks_deal: deal },
  timelineFields: ['status'],
  editLabel: completionLabel,
})

/**
 * Returns SQL for the label that an edit of `status` has in the history. `c` is the row before the edit. Null stands for the default label
 * of an edit.
 */
function completionLabel({ status }: Fields): string | undefined {
  if (status === undefined) return undefined
  return status === 'completed'
    ? `case when c.status <> 'completed' then 'Completed task' end`
    : `case when c.status = 'completed' then 'Reopened task' end`
}

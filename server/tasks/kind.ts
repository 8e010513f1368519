import { emptyTask, Task, taskColumns, taskFilters, TaskRow } from '#contract/tasks.ts'
import { recordKinds } from '#contract/kinds.ts'
import { defineKind, linkedTitle, namedSort, type Link } from '#server/platform/records/kind.ts'

const contact: Link = { field: 'contact_id', to: recordKinds.contact, titleAs: 'contact_name' }
const deal: Link = { field: 'deal_id', to: recordKinds.deal, titleAs: 'deal_title' }

/** How the database has tasks. */
export const tasks = defineKind({
  ...recordKinds.task,
  Kept: Task,
  Row: TaskRow,
  exported: taskColumns,
  empty: emptyTask,
  nameOf: ({ title }) => String(title),
  found: { sorted: 'title', title: 'c.title', detail: linkedTitle(contact) },
  sorts: {
    due_date: { column: 'due_date', type: 'date', empty: 'is null' },
    title: namedSort('title'),
    priority: { column: 'priority_rank', type: 'int', empty: 'is null' },
  },
  filters: taskFilters,
  links: { tasks_contact: contact, tasks_deal: deal },
  timelineFields: ['status'],
})

import { emptyTask, Task, taskColumns, taskFilters, TaskRow } from '#contract/tasks.ts'
import { contactName } from '#server/contacts/contacts.ts'
import { dealTitle } from '#server/deals/deals.ts'
import { recordKinds } from '#contract/kinds.ts'
import { defineKind, namedSort } from '#server/platform/records/kind.ts'

/** How the database has tasks. */
export const tasks = defineKind({
  ...recordKinds.task,
  Kept: Task,
  Row: TaskRow,
  exported: taskColumns,
  computed: { contact_name: contactName, deal_title: dealTitle },
  empty: emptyTask,
  nameOf: ({ title }) => String(title),
  found: { sorted: 'title', title: 'c.title', detail: contactName },
  sorts: {
    due_date: { column: 'due_date', type: 'date', empty: 'is null' },
    title: namedSort('title'),
    priority: { column: 'priority_rank', type: 'int', empty: 'is null' },
  },
  filters: taskFilters,
  links: {
    tasks_contact: { field: 'contact_id', to: 'contact' },
    tasks_deal: { field: 'deal_id', to: 'deal' },
  },
  told: ['status'],
})

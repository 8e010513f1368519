import { emptyTask, taskFilters, type taskColumns } from '#contract/tasks.ts'
import { contactName } from '#server/contacts/contacts.ts'
import { dealTitle } from '#server/deals/deals.ts'
import { namedSort, type RecordKind } from '#server/platform/records/kind.ts'

const names = `${contactName} as contact_name, ${dealTitle} as deal_title`
const shown = 'c.title, c.status, c.priority, c.due_date, c.completed_at, c.contact_id, c.deal_id, c.created_at'

/** How the database has tasks. */
export const tasks: RecordKind = {
  one: 'task',
  many: 'tasks',
  table: 'tasks',
  find: 'tasks_find',
  writable: Object.keys(emptyTask),
  empty: emptyTask,
  columns: `${shown}, c.description, c.id, c.updated_at, c.version, ${names}`,
  rowColumns: `${shown}, c.id, c.version, ${names}`,
  exportColumns: {
    title: 'c.title',
    status: 'c.status',
    priority: 'c.priority',
    due_date: 'c.due_date',
    completed_at: 'c.completed_at',
    contact_name: contactName,
    deal_title: dealTitle,
    description: 'c.description',
    created_at: 'c.created_at',
  } satisfies Record<(typeof taskColumns)[number], string>,
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
}

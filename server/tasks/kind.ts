import { emptyTask, taskFilters } from '#contract/tasks.ts'
import { namedSort, type RecordKind } from '#server/platform/records/kind.ts'

const names = `coalesce((select p.name from crm_contacts p where p.user_id = c.user_id and p.id = c.contact_id), '') as contact_name,
  coalesce((select d.title from deals d where d.user_id = c.user_id and d.id = c.deal_id), '') as deal_title`
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
    contact_name: `(select p.name from crm_contacts p where p.user_id = c.user_id and p.id = c.contact_id)`,
    deal_title: `(select d.title from deals d where d.user_id = c.user_id and d.id = c.deal_id)`,
    description: 'c.description',
    created_at: 'c.created_at',
  },
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

import { recordKinds } from '#contract/kinds.ts'
import { taskFilters, taskRoutes, type TaskRow } from '#contract/tasks.ts'
import { NameCell, TextCell } from '#web/records/list/cells.tsx'
import type { ListColumn, ListKind } from '#web/records/kind/kind.ts'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { DueDate } from './DueDate.tsx'
import { linkedTables } from './queries.ts'
import { PriorityBadge, StatusBadge } from './TaskBadges.tsx'
import { taskLabels } from './taskKind.ts'
import { TaskTick } from './TaskTick.tsx'
import { priorityChoices, statusChoices } from './taskWords.ts'
import classes from './tasks.module.css'

const path = '/crm/tasks'

/** How tasks are listed. */
export const taskList: ListKind<TaskRow> = {
  ...recordKinds.task,
  shows: linkedTables,
  path,
  opensOver: true,
  routes: taskRoutes,
  filters: taskFilters,
  nameOf: ({ title }) => title,
  columns: taskColumns,
  sorts: [
    { name: 'due_date', label: 'Due date', ascending: 'earliest first', descending: 'latest first' },
    { name: 'title', label: 'Title' },
    { name: 'priority', label: 'Priority', ascending: 'low to high', descending: 'high to low' },
  ],
  fields: [
    { name: 'title', label: taskLabels.title, required: true },
    { name: 'status', label: taskLabels.status, choices: statusChoices, required: true },
    { name: 'priority', label: taskLabels.priority, choices: priorityChoices, required: true },
    { name: 'due_date', label: taskLabels.due_date },
    { name: 'contact_id', label: taskLabels.contact_id, linksTo: 'contact' },
    { name: 'deal_id', label: taskLabels.deal_id, linksTo: 'deal' },
    { name: 'created_at', label: 'Added', required: true },
  ],
  bulk: ['status', 'priority', 'due_date'],
  searched: 'title',
  empty: {
    title: 'No tasks yet',
    words: 'What you have to do, and by when: a call, a letter, a visit. A task can belong to a contact or a deal.',
  },
  faded: ({ status }) => status === 'completed',
}

/** The same, the next one due first. */
export const taskListByDay: ListKind<TaskRow> = { ...taskList, usualSort: { sort: 'due_date', order: 'asc' } }

function taskColumns(isPhone: boolean): readonly ListColumn<TaskRow>[] {
  return [
    {
      name: 'title',
      label: 'Title',
      sortable: true,
      cell: (task, reachable) => (
        <NameCell
          name={task.title}
          href={`${path}/${task.id}`}
          picture={
            <span className={classes['tick']}>
              <TaskTick task={task} reachable={reachable} />
            </span>
          }
          second={isPhone && <SecondLine task={task} />}
          reachable={reachable}
        />
      ),
    },
    { name: 'due_date', label: 'Due', sortable: true, width: 110, firm: true, cell: (task) => <DueDate task={task} /> },
    {
      name: 'priority',
      label: 'Priority',
      sortable: true,
      width: 110,
      firm: true,
      cell: ({ priority }) => <PriorityBadge priority={priority} />,
    },
    { name: 'status', label: 'Status', width: 124, firm: true, cell: (task) => <StatusBadge task={task} /> },
    { name: 'contact_name', label: 'Contact', width: 160, from: 1024, cell: ({ contact_name }) => <TextCell text={contact_name} /> },
    { name: 'deal_title', label: 'Deal', width: 180, from: 1200, cell: ({ deal_title }) => <TextCell text={deal_title} /> },
    { name: 'created_at', label: 'Added', width: 110, from: 'never', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  ]
}

/** On a phone: when it is due, that it is urgent, and what it belongs to. */
function SecondLine({ task }: { task: TaskRow }) {
  const words = [task.priority === 'high' && 'High priority', task.deal_title || task.contact_name].filter(Boolean).join(' · ')
  return (
    <>
      <DueDate task={task} />
      {task.due_date && words && ' · '}
      {words}
    </>
  )
}

import * as z from 'zod/mini'
import { recordKinds } from '#contract/kinds.ts'
import { emptyTask, TaskFields, taskFilters, taskRoutes, type TaskRow } from '#contract/tasks.ts'
import { formatExactDay } from '#web/lib/format.ts'
import { dateFromText } from '#web/records/form/typedDay.ts'
import { defineKind, linkFromText } from '#web/records/kind/kind.ts'
import { DueDate, PriorityBadge, StatusBadge } from './TaskBadges.tsx'
import { TaskCheckbox } from './TaskToggles.tsx'
import { priorityChoices, statusChoices } from './taskLabels.ts'
import classes from './tasks.module.css'

export const taskKind = defineKind({
  ...recordKinds.task,
  path: '/crm/tasks',
  opensOverList: true,
  relatedTables: ['crm_contacts', 'deals'],
  routes: taskRoutes,
  titleOf: ({ title }) => title,
  detailOf: ({ contact_name }) => contact_name,
  describeCreated: ({ due_date }) => (due_date ? `Due ${formatExactDay(due_date)}` : undefined),
  blank: emptyTask,
  fields: {
    title: { label: 'Title', required: true },
    due_date: { label: 'Due date' },
    priority: { label: 'Priority', choices: priorityChoices, required: true },
    status: { label: 'Status', choices: statusChoices, required: true },
    contact_id: { label: 'Contact', linksTo: 'contact' },
    deal_id: { label: 'Deal', linksTo: 'deal' },
    description: { label: 'Description', isLong: true },
  },
  input: z.extend(TaskFields, {
    due_date: dateFromText(TaskFields.shape.due_date),
    contact_id: linkFromText('contact'),
    deal_id: linkFromText('deal'),
  }),
  filters: taskFilters,
  filterFields: ['title', 'status', 'priority', 'due_date', 'contact_id', 'deal_id', 'created_at'],
  bulkFields: ['status', 'priority', 'due_date'],
  wholeListParameters: { view: 'all' },
  sorts: [
    { name: 'due_date', ascending: 'earliest first', descending: 'latest first' },
    { name: 'title' },
    { name: 'priority', ascending: 'low to high', descending: 'high to low' },
  ],
  titleCell: {
    picture: (task, isInTabOrder) => (
      <span className={classes['tick']}>
        <TaskCheckbox task={task} isInTabOrder={isInTabOrder} />
      </span>
    ),
    secondLine: (task) => <SecondLine task={task} />,
  },
  columns: [
    { name: 'due_date', label: 'Due', width: 110, hasFixedWidth: true, cell: (task) => <DueDate task={task} /> },
    { name: 'priority', width: 110, hasFixedWidth: true, cell: ({ priority }) => <PriorityBadge priority={priority} /> },
    { name: 'status', width: 124, hasFixedWidth: true, cell: (task) => <StatusBadge task={task} /> },
    { name: 'contact_name', label: 'Contact', width: 160, minWindowWidth: 1024 },
    { name: 'deal_title', label: 'Deal', width: 180, minWindowWidth: 1200 },
    { name: 'created_at', width: 110, isHiddenByDefault: true },
  ],
  searchedFields: 'title',
  emptyList: {
    title: 'No tasks yet',
    text: 'What you have to do, and by when: a call, a letter, a visit. A task can belong to a contact or a deal.',
  },
  isFaded: ({ status }) => status === 'completed',
})

/** The task kind of the tabs that show a range of due dates: its list is sorted by due date. */
export const taskKindByDueDate: typeof taskKind = {
  ...taskKind,
  defaultSort: { sort: 'due_date', order: 'asc' },
  wholeListKind: taskKind,
}

/** The second line of a task in the list on phones: the due date, a high priority, and the linked record, separated by dots. */
function SecondLine({ task }: { task: TaskRow }) {
  const priorityText = task.priority === 'high' ? 'High priority' : ''
  const linkedTitle = task.deal_title || task.contact_name
  const text = [priorityText, linkedTitle].filter(Boolean).join(' · ')
  return (
    <>
      <DueDate task={task} />
      {task.due_date && text && ' · '}
      {text}
    </>
  )
}

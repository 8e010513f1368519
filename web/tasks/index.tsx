// Tasks: a list with tabs by due date, a panel and a dialog for each task, and the tasks of contacts and deals.
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'
import { IconCheckbox, IconCopyCheck } from '@tabler/icons-react'
import { recordKinds } from '#contract/kinds.ts'
import { formatCappedCount, formatCount } from '#web/lib/format.ts'
import { defineFeature } from '#web/lib/routes.ts'
import { recordRoutes } from '#web/records/address/recordRoutes.ts'
import { parseNewTask } from './newTask.ts'
import { taskCountQuery } from './queries.ts'
import { describeStatusChange } from './taskLabels.ts'
import { dueConditions, parseTaskListParameters } from './dueDateTabs.ts'
import { tasksEntry } from './sidebar.ts'

const screens = recordRoutes('/crm/tasks', {
  parseList: parseTaskListParameters,
  parseNew: parseNewTask,
  screens: {
    list: lazyRouteComponent(() => import('./TasksPage.tsx'), 'TasksPage'),
    add: lazyRouteComponent(() => import('./TaskDialog.tsx'), 'AddTaskDialog'),
    show: lazyRouteComponent(() => import('./TaskPanel.tsx'), 'TaskPanel'),
    edit: lazyRouteComponent(() => import('./TaskDialog.tsx'), 'EditTaskDialog'),
  },
})

export const tasks = defineFeature({
  signedInRoutes: [screens],
  sidebar: { ...tasksEntry, badge: DueTasksCount },
  firstSteps: [
    {
      name: 'task',
      icon: IconCheckbox,
      title: 'Write down what is to be done',
      text: 'A call, a letter, a visit, and by when.',
      buttonLabel: 'Add task',
      address: '/crm/tasks/new',
    },
  ],
  contactTab: {
    name: 'tasks',
    label: 'Tasks',
    position: 5,
    Tab: lazyRouteComponent(() => import('./TasksTab.tsx'), 'TasksTab'),
    Count: lazyRouteComponent(() => import('./TasksTab.tsx'), 'TasksCount'),
  },
  actions: [
    {
      label: 'Add task',
      icon: IconCopyCheck,
      address: '/crm/tasks/new',
      paletteTextParameter: 'title',
      keywords: 'new task create to-do reminder',
    },
    { label: 'Tasks due today', icon: IconCheckbox, address: '/crm/tasks?view=today', isPage: true },
    { label: 'Overdue tasks', icon: IconCheckbox, address: '/crm/tasks?view=overdue', isPage: true, keywords: 'late' },
    { label: 'Upcoming tasks', icon: IconCheckbox, address: '/crm/tasks?view=upcoming', isPage: true, keywords: 'next later' },
  ],
  records: [
    {
      ...recordKinds.task,
      icon: IconCheckbox,
      addressOf: ({ id }) => `/crm/tasks/${id}`,
      describeChange: describeStatusChange,
      loadFields: () => import('./TaskDialog.tsx').then(({ taskFields }) => taskFields),
    },
  ],
})

/** The number of open tasks that are due or overdue, for the sidebar. Shows nothing when the number is 0. */
function DueTasksCount() {
  const { data: result } = useQuery(taskCountQuery(dueConditions))
  if (!result || result.count === 0) return null
  return <span title={`${formatCount(result.count, 'task')} due or overdue`}>{formatCappedCount(result)}</span>
}

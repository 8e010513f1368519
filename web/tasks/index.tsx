// Tasks: what is to be done by when, as a list by day, in a panel over it, and beside the contacts and deals they belong to.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconCheckbox, IconCopyCheck } from '@tabler/icons-react'
import { recordKinds } from '#contract/kinds.ts'
import { defineFeature, signedIn } from '#web/lib/routes.ts'
import { readPanel } from '#web/records/panel/panelSearch.ts'
import { readNewTask } from './newTask.ts'
import { statusTold } from './taskWords.ts'
import { TasksDue } from './TasksDue.tsx'
import { readTasksAddress } from './views.ts'

const list = createRoute({
  getParentRoute: () => signedIn,
  path: '/crm/tasks',
  validateSearch: readTasksAddress,
  component: lazyRouteComponent(() => import('./TasksPage.tsx'), 'TasksPage'),
})

const add = createRoute({
  getParentRoute: () => list,
  path: 'new',
  validateSearch: readNewTask,
  component: lazyRouteComponent(() => import('./TaskDialog.tsx'), 'NewTaskDialog'),
})

const show = createRoute({
  getParentRoute: () => list,
  path: '$id',
  validateSearch: readPanel,
  component: lazyRouteComponent(() => import('./TaskPanel.tsx'), 'TaskPanel'),
})

const edit = createRoute({
  getParentRoute: () => show,
  path: 'edit',
  component: lazyRouteComponent(() => import('./TaskDialog.tsx'), 'EditTaskDialog'),
})

export const tasks = defineFeature({
  signedIn: [list.addChildren([add, show.addChildren([edit])])],
  sidebar: {
    label: 'Tasks',
    to: '/crm/tasks',
    icon: IconCheckbox,
    group: { label: 'CRM', prefix: '/crm' },
    keys: 'g-t',
    searchable: true,
    badge: TasksDue,
  },
  firstSteps: [
    {
      icon: IconCheckbox,
      title: 'Write down what is to be done',
      words: 'A call, a letter, a visit, and by when.',
      action: 'Add task',
      to: '/crm/tasks/new',
    },
  ],
  actions: [{ label: 'Add task', icon: IconCopyCheck, to: '/crm/tasks/new', takes: 'title' }],
  records: [{ ...recordKinds.task, icon: IconCheckbox, addressOf: ({ id }) => `/crm/tasks/${id}`, told: statusTold }],
})

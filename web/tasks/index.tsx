// Tasks: what is to be done by when, as a list by day, in a panel over it, and beside the contacts and deals they belong to.
import { lazyRouteComponent } from '@tanstack/react-router'
import { IconCheckbox, IconCopyCheck } from '@tabler/icons-react'
import { recordKinds } from '#contract/kinds.ts'
import { defineFeature } from '#web/lib/routes.ts'
import { recordRoutes } from '#web/records/address/recordRoutes.ts'
import { readNewTask } from './newTask.ts'
import { statusTold } from './taskWords.ts'
import { TasksDue } from './TasksDue.tsx'
import { readTasksAddress } from './views.ts'

const screens = recordRoutes('/crm/tasks', {
  parseList: readTasksAddress,
  parseNew: readNewTask,
  screens: {
    list: lazyRouteComponent(() => import('./TasksPage.tsx'), 'TasksPage'),
    add: lazyRouteComponent(() => import('./TaskDialog.tsx'), 'NewTaskDialog'),
    show: lazyRouteComponent(() => import('./TaskPanel.tsx'), 'TaskPanel'),
    edit: lazyRouteComponent(() => import('./TaskDialog.tsx'), 'EditTaskDialog'),
  },
})

export const tasks = defineFeature({
  signedIn: [screens],
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
  contactTab: {
    name: 'tasks',
    label: 'Tasks',
    Tab: lazyRouteComponent(() => import('./TasksTab.tsx'), 'TasksTab'),
    Count: lazyRouteComponent(() => import('./TasksTab.tsx'), 'TasksCount'),
  },
  actions: [{ label: 'Add task', icon: IconCopyCheck, to: '/crm/tasks/new', searchParam: 'title' }],
  records: [{ ...recordKinds.task, icon: IconCheckbox, addressOf: ({ id }) => `/crm/tasks/${id}`, describeChange: statusTold }],
})

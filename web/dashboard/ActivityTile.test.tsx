import { expect, test } from 'vitest'
import type { RecentChange } from '#contract/changes.ts'
import { nora, renderApp } from '#web/testing.ts'
import { filledDashboard, findTile, mockServerWith, task } from './testing.ts'

// Each list item describes one change, such as "You updated deal Waiting room2 hours ago": the actor, the change, the record and the time.

const makeChangeId = (number: number): string => `01930000-0000-7000-8000-0000000000f${number}`
const updatedDeal: RecentChange = {
  change: makeChangeId(0),
  at: new Date(Date.now() - 7_200_000).toISOString(),
  actor: `user:${nora.user.id}`,
  actor_name: null,
  label: 'Updated deal',
  reversal: null,
  progress: null,
  table: 'deals',
  id: '01930000-0000-7000-8000-0000000000a2',
  title: 'Waiting room',
  exists: true,
  columns: [],
}

test('recent activity shows who changed which record, with a link while the record exists', async () => {
  mockServerWith(
    filledDashboard,
    updatedDeal,
    {
      ...updatedDeal,
      change: makeChangeId(1),
      label: 'Undone: Deleted 1 task',
      reversal: 'undo',
      table: 'tasks',
      id: task.id,
      title: task.title,
    },
    { ...updatedDeal, change: makeChangeId(2), label: 'Deleted 12 contacts', table: 'crm_contacts', title: 'Ada Example', exists: false },
    {
      ...updatedDeal,
      change: makeChangeId(3),
      label: 'Deleted 1 company',
      table: 'companies',
      title: 'Quillstone',
      exists: false,
      actor: 'import',
    },
    { ...updatedDeal, change: makeChangeId(5), actor: `api_key:${makeChangeId(8)}`, actor_name: 'Website' },
    { ...updatedDeal, change: makeChangeId(6), actor: `api_key:${makeChangeId(9)}` },
    { ...updatedDeal, change: makeChangeId(4), label: 'Completed task', table: 'tasks', id: task.id, title: task.title },
  )
  await renderApp('/dashboard')
  const activity = await findTile('Recent activity')
  expect((await activity.findAllByRole('listitem')).map(({ textContent }) => textContent?.trim().replaceAll(/\s+/g, ' '))).toEqual([
    'You updated deal Waiting room2 hours ago',
    'You undid: deleted task Send the drawings2 hours ago',
    'You deleted 12 contacts 2 hours ago',
    'An import deleted company Quillstone2 hours ago',
    'API key Website updated deal Waiting room2 hours ago',
    'A deleted API key updated deal Waiting room2 hours ago',
    'You completed task Send the drawings2 hours ago',
  ])
  expect(activity.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    `/crm/deals/${updatedDeal.id}`,
    `/crm/tasks/${task.id}`,
    `/crm/deals/${updatedDeal.id}`,
    `/crm/deals/${updatedDeal.id}`,
    `/crm/tasks/${task.id}`,
  ])
})

test('for a change of the stage or the status of one record, recent activity shows the new stage or status', async () => {
  const toProposal = { name: 'stage', before: 'qualified', after: 'proposal' }
  const changedTask = { ...updatedDeal, table: 'tasks', id: task.id, title: task.title }
  mockServerWith(
    filledDashboard,
    { ...updatedDeal, columns: [toProposal] },
    { ...updatedDeal, change: makeChangeId(1), label: 'Undone: Updated deal', reversal: 'undo', columns: [toProposal] },
    {
      ...changedTask,
      change: makeChangeId(2),
      label: 'Completed task',
      columns: [{ name: 'status', before: 'pending', after: 'completed' }],
    },
    {
      ...changedTask,
      change: makeChangeId(3),
      label: 'Updated task',
      columns: [{ name: 'status', before: 'pending', after: 'in-progress' }],
    },
    { ...updatedDeal, change: makeChangeId(4), label: 'Updated 12 deals', columns: [toProposal] },
  )
  await renderApp('/dashboard')
  const activity = await findTile('Recent activity')
  expect((await activity.findAllByRole('listitem')).map(({ textContent }) => textContent?.trim().replaceAll(/\s+/g, ' '))).toEqual([
    'You moved Waiting room to Proposal2 hours ago',
    'You undid: updated deal Waiting room2 hours ago',
    'You completed Send the drawings2 hours ago',
    'You set Send the drawings to In progress2 hours ago',
    'You updated 12 deals 2 hours ago',
  ])
})

test('when the label of a change has a number or a plural, recent activity shows the icon of the kind and no title of a record', async () => {
  const note = '**Met at the fair**'
  mockServerWith(
    filledDashboard,
    { ...updatedDeal, label: 'Added 40 notes', table: 'notes', title: note },
    { ...updatedDeal, change: makeChangeId(1), label: 'Added note', table: 'notes', title: note },
    { ...updatedDeal, change: makeChangeId(2), label: 'Updated contacts', table: 'crm_contacts', title: 'Ada Example' },
    { ...updatedDeal, change: makeChangeId(3), label: 'Tagged 1,200 companies', table: 'companies', title: 'Quillstone' },
    { ...updatedDeal, change: makeChangeId(4), label: 'Updated contact', table: 'crm_contacts', title: 'Ada Example' },
  )
  await renderApp('/dashboard')
  const lines = await (await findTile('Recent activity')).findAllByRole('listitem')
  expect(lines.map(({ textContent }) => textContent?.trim().replaceAll(/\s+/g, ' '))).toEqual([
    'You added 40 notes 2 hours ago',
    'You added note **Met at the fair**2 hours ago',
    'You updated contacts 2 hours ago',
    'You tagged 1,200 companies 2 hours ago',
    'You updated contact Ada Example2 hours ago',
  ])
  const iconClasses = lines.map((line) => line.querySelector('svg')?.classList.value ?? line.querySelector('[data-initials]')?.className)
  expect(iconClasses.map((iconClass) => /tabler-icon-[\w-]+|avatar/.exec(iconClass ?? '')?.[0])).toEqual([
    'tabler-icon-note',
    'tabler-icon-note',
    'tabler-icon-users',
    'tabler-icon-building',
    'avatar',
  ])
})

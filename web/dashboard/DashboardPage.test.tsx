import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { RecentChange } from '#contract/changes.ts'
import type { Dashboard } from '#contract/dashboard.ts'
import type { StorageUse } from '#contract/storage.ts'
import { changeResponse, nora, problemResponse, renderApp, mockServer } from '#web/testing.ts'

const task: Dashboard['tasks']['rows'][number] = {
  id: '01930000-0000-7000-8000-0000000000a3',
  title: 'Send the drawings',
  status: 'pending',
  priority: 'medium',
  due_date: '2026-01-02',
  contact_id: null,
  contact_name: '',
  deal_id: '01930000-0000-7000-8000-0000000000a2',
  deal_title: 'Waiting room',
  completed_at: null,
  created_at: '2026-01-01T09:00:00.000Z',
  version: 1,
}

const filledDashboard: Dashboard = {
  empty: false,
  tasks: { rows: [task], due: 4, overdue: 3 },
  pipeline: [
    { stage: 'lead', count: 4, value: 32_850, forecast: 3285 },
    { stage: 'qualified', count: 4, value: 64_700, forecast: 16_175 },
    { stage: 'proposal', count: 4, value: 78_350, forecast: 39_175 },
    { stage: 'negotiation', count: 2, value: 79_600, forecast: 59_700 },
  ],
  new_contacts: [
    { monday: '2026-11-09', sources: { Web: 2 } },
    { monday: '2026-11-16', sources: { Web: 13, 'Partner Referral': 5, '': 2 } },
  ],
}

const empty: Dashboard = {
  empty: true,
  tasks: { rows: [], due: 0, overdue: 0 },
  pipeline: filledDashboard.pipeline.map(({ stage }) => ({ stage, count: 0, value: 0, forecast: 0 })),
  new_contacts: [{ monday: '2026-11-16', sources: {} }],
}

const changeId = '01930000-0000-7000-8000-0000000000e1'
const makeChangeId = (number: number): string => `01930000-0000-7000-8000-0000000000f${number}`
const updatedDeal: RecentChange = {
  change: changeId,
  at: new Date(Date.now() - 7_200_000).toISOString(),
  actor: `user:${nora.user.id}`,
  label: 'Updated deal',
  reversal: null,
  progress: null,
  table: 'deals',
  id: '01930000-0000-7000-8000-0000000000a2',
  title: 'Waiting room',
  exists: true,
}

const gigabyte = 1024 ** 3
const storage: StorageUse = {
  used_bytes: 3.25 * gigabyte,
  quota_bytes: 10 * gigabyte,
  file_count: 412,
  trash_bytes: gigabyte / 4,
  upload_bytes: 0,
  groups: [
    { name: 'documents', bytes: 2 * gigabyte },
    { name: 'pictures', bytes: gigabyte },
    { name: 'media', bytes: 0 },
    { name: 'other', bytes: 0 },
  ],
}

const mockServerWith = (dashboard: Dashboard, ...recent: RecentChange[]) =>
  mockServer({
    'GET /api/session': nora,
    'GET /api/dashboard': dashboard,
    'GET /api/changes/recent': { rows: recent },
    'GET /api/storage': storage,
  })

const findTile = async (name: string) => within(await screen.findByRole('region', { name }))

test('an empty workspace shows a greeting with the first name and the first steps', async () => {
  mockServerWith(empty)
  await renderApp('/dashboard')
  expect(await screen.findByRole('heading', { name: 'Welcome, Nora' })).toBeTruthy()
  expect((await screen.findByRole('link', { name: 'Add contact' })).getAttribute('href')).toBe('/crm/contacts/new')
  expect(screen.getByRole('link', { name: 'Add deal' }).getAttribute('href')).toBe('/crm/deals/new')
  expect(screen.getByRole('link', { name: 'Add task' }).getAttribute('href')).toBe('/crm/tasks/new')
  expect(screen.getByRole('link', { name: 'Open account' }).getAttribute('href')).toBe('/account')
  expect(document.title).toBe('Dashboard - Foyer')
  expect(screen.queryByRole('region', { name: 'Tasks due' })).toBeNull()
})

test('a first step that is done is not shown', async () => {
  const server = mockServerWith(empty)
  server.setHandlers({ 'GET /api/session': { ...nora, profile: { ...nora.profile, version: 2 } } })
  await renderApp('/dashboard')
  expect(await screen.findByRole('link', { name: 'Add contact' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Open account' })).toBeNull()
})

test('due tasks are shown with their deal and link to the list of all due tasks', async () => {
  mockServerWith(filledDashboard)
  await renderApp('/dashboard')
  const tasks = await findTile('Tasks due')
  expect(await tasks.findByText('7')).toBeTruthy()
  expect(tasks.getByRole('link', { name: 'Send the drawings' }).getAttribute('href')).toBe(`/crm/tasks/${task.id}`)
  expect(tasks.getByText('Waiting room')).toBeTruthy()
  expect(tasks.getByRole('link', { name: 'All due' }).getAttribute('href')).toBe('/crm/tasks?view=today')
})

test('a task can be completed on the dashboard, and a toast offers Undo', async () => {
  const server = mockServerWith(filledDashboard)
  server.setHandlers({
    'PATCH /api/tasks/{id}': () => {
      server.setHandlers({ 'GET /api/dashboard': { ...filledDashboard, tasks: { rows: [], due: 4, overdue: 2 } } })
      return changeResponse(changeId, { ...task, description: '', updated_at: task.created_at, status: 'completed' })
    },
  })
  await renderApp('/dashboard')
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Complete: Send the drawings' }))
  expect(await screen.findByText('Task marked as completed')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(server.requestsTo('PATCH /api/tasks/{id}')[0]?.body).toEqual({ status: 'completed' })
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Send the drawings' })).toBeNull())
  expect((await findTile('Tasks due')).getByText('6')).toBeTruthy()
})

test('when a completed task disappears, the next task gets the focus', async () => {
  const next = { ...task, id: '01930000-0000-7000-8000-0000000000a4', title: 'Book the van' }
  const server = mockServerWith({ ...filledDashboard, tasks: { rows: [task, next], due: 2, overdue: 0 } })
  server.setHandlers({
    'PATCH /api/tasks/{id}': () => {
      server.setHandlers({ 'GET /api/dashboard': { ...filledDashboard, tasks: { rows: [next], due: 1, overdue: 0 } } })
      return changeResponse(changeId, { ...task, description: '', updated_at: task.created_at, status: 'completed' })
    },
  })
  await renderApp('/dashboard')
  const checkbox = await screen.findByRole('checkbox', { name: 'Complete: Send the drawings' })
  checkbox.focus()
  fireEvent.click(checkbox)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Complete: Book the van' })))
  expect(screen.queryByRole('checkbox', { name: 'Complete: Send the drawings' })).toBeNull()
})

test('the pipeline shows forecast and value, and each stage links to its deals', async () => {
  mockServerWith(filledDashboard)
  await renderApp('/dashboard')
  const pipeline = await findTile('Pipeline')
  expect(await pipeline.findByText('£118,335')).toBeTruthy()
  expect(pipeline.getByText(/of £255,500 open/)).toBeTruthy()
  expect(pipeline.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Forecast', 'Value'])
  const proposal = pipeline.getByRole('link', { name: /^Proposal ?£78,350 ?, deals 4, forecast £39,175$/ })
  const { search, pathname } = new URL(proposal.getAttribute('href') ?? '', 'http://foyer.test')
  expect(pathname).toBe('/crm/deals')
  expect(JSON.parse(new URLSearchParams(search).get('filter') ?? '')).toEqual([{ field: 'stage', is: ['proposal'] }])
})

test('new contacts are shown by week and source, and each week links to its contacts', async () => {
  mockServerWith(filledDashboard)
  await renderApp('/dashboard')
  const contacts = await findTile('New contacts')
  expect((await contacts.findByText(/this week/)).textContent).toMatch(/^20 this week/)
  const week = contacts.getByRole('link', { name: /^Week of 16 Nov.*: 20, Web 13, Partner Referral 5, No source 2$/ })
  const { search } = new URL(week.getAttribute('href') ?? '', 'http://foyer.test')
  expect(JSON.parse(new URLSearchParams(search).get('filter') ?? '')).toEqual([
    { field: 'created_at', from: '2026-11-16', to: '2026-11-22' },
  ])
})

test('a tile that cannot be loaded shows the error and the user can try again', async () => {
  const server = mockServerWith(filledDashboard)
  server.setHandlers({ 'GET /api/dashboard': () => problemResponse('internal') })
  await renderApp('/dashboard')
  const tasks = await findTile('Tasks due')
  expect(await tasks.findByText(/Tasks due could not be loaded\. Something went wrong on our side/)).toBeTruthy()
  server.setHandlers({ 'GET /api/dashboard': filledDashboard })
  fireEvent.click(tasks.getByRole('button', { name: 'Try again' }))
  expect(await tasks.findByText('7')).toBeTruthy()
})

test('tiles without content show a message', async () => {
  mockServerWith({ ...empty, empty: false })
  await renderApp('/dashboard')
  expect(await (await findTile('Tasks due')).findByText(/^Nothing is due today/)).toBeTruthy()
  expect((await findTile('Pipeline')).getByText(/^No deal is open/)).toBeTruthy()
  expect((await findTile('New contacts')).getByText('Nobody new in the last twelve weeks.')).toBeTruthy()
})

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
    { ...updatedDeal, change: makeChangeId(4), label: 'Completed task', table: 'tasks', id: task.id, title: task.title },
  )
  await renderApp('/dashboard')
  const activity = await findTile('Recent activity')
  expect((await activity.findAllByRole('listitem')).map(({ textContent }) => textContent?.trim().replaceAll(/\s+/g, ' '))).toEqual([
    'You updated deal Waiting room2 hours ago',
    'You undid: deleted task Send the drawings2 hours ago',
    'You deleted 12 contacts 2 hours ago',
    'An import deleted company Quillstone2 hours ago',
    'You completed task Send the drawings2 hours ago',
  ])
  expect(activity.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    `/crm/deals/${updatedDeal.id}`,
    `/crm/tasks/${task.id}`,
    `/crm/tasks/${task.id}`,
  ])
})

test('a change of several records shows the icon of the kind and no name', async () => {
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

test('the storage shows the used space of the quota by type, with the trash, and links to the files', async () => {
  mockServerWith(filledDashboard)
  await renderApp('/dashboard')
  const tile = await findTile('Storage')
  expect(await tile.findByText('3.3 GB of 10.0 GB, 412 files')).toBeTruthy()
  expect(tile.getByRole('link', { name: 'Files' }).getAttribute('href')).toBe('/files')
  expect(tile.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'TypeSize',
    'Documents2.0 GB',
    'Pictures1.0 GB',
    'In the trash256.0 MB',
    'Free6.8 GB',
  ])
})

test('an account without files is told how much space there is', async () => {
  const server = mockServerWith(filledDashboard)
  server.setHandlers({ 'GET /api/storage': { ...storage, used_bytes: 0, file_count: 0, trash_bytes: 0, groups: [] } })
  await renderApp('/dashboard')
  expect(await (await findTile('Storage')).findByText('No files yet. There is space for 10.0 GB of them.')).toBeTruthy()
})

test('a storage that could not be read can be tried again', async () => {
  const server = mockServerWith(filledDashboard)
  server.setHandlers({ 'GET /api/storage': () => problemResponse('internal') })
  await renderApp('/dashboard')
  const tile = await findTile('Storage')
  expect((await tile.findByRole('alert')).textContent).toContain('Storage could not be loaded.')
  server.setHandlers({ 'GET /api/storage': storage })
  fireEvent.click(tile.getByRole('button', { name: 'Try again' }))
  expect(await tile.findByText('3.3 GB of 10.0 GB, 412 files')).toBeTruthy()
})

import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { changeResponse, nora, problemResponse, renderApp } from '#web/testing.ts'
import { emptyDashboard, filledDashboard, findTile, mockServerWith, storage, task } from './testing.ts'

const changeId = '01930000-0000-7000-8000-0000000000e1'

test('an empty workspace shows a greeting with the first name and the first steps, which can be hidden', async () => {
  const server = mockServerWith(emptyDashboard)
  await renderApp('/dashboard')
  expect(await screen.findByRole('heading', { name: 'Welcome, Nora' })).toBeTruthy()
  expect((await screen.findByRole('link', { name: 'Add contact' })).getAttribute('href')).toBe('/crm/contacts/new')
  expect(screen.getByRole('link', { name: 'Add deal' }).getAttribute('href')).toBe('/crm/deals/new')
  expect(screen.getByRole('link', { name: 'Add task' }).getAttribute('href')).toBe('/crm/tasks/new')
  expect(screen.getByRole('link', { name: 'Open account' }).getAttribute('href')).toBe('/account')
  expect(document.title).toBe('Dashboard - Foyer')
  expect(screen.getByRole('link', { name: 'Add company' }).getAttribute('href')).toBe('/crm/companies/new')
  expect(screen.queryByRole('region', { name: 'Tasks due' })).toBeNull()
  server.setHandlers({ 'PATCH /api/profile': changeResponse(changeId, { ...nora.profile, first_steps_hidden: true, version: 2 }) })
  fireEvent.click(screen.getByRole('button', { name: 'Hide first steps' }))
  expect(await screen.findByRole('region', { name: 'Tasks due' })).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull()
  expect(document.activeElement?.id).toBe('content') // because the button is gone
})

test('a first step that is done is not shown in an empty workspace', async () => {
  mockServerWith({ ...emptyDashboard, first_steps_done: ['region'] })
  await renderApp('/dashboard')
  expect(await screen.findByRole('link', { name: 'Add contact' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Open account' })).toBeNull()
})

test('due tasks are shown with their deal and link to the list of all due tasks', async () => {
  mockServerWith(filledDashboard)
  await renderApp('/dashboard')
  const tasks = await findTile('Tasks due')
  expect(await tasks.findByText('7')).toBeTruthy() // 4 are due today and 3 are overdue
  expect(tasks.getByRole('link', { name: 'Send the drawings' }).getAttribute('href')).toBe(`/crm/tasks/${task.id}`)
  expect(tasks.getByText('Waiting room')).toBeTruthy()
  expect(tasks.getByRole('link', { name: 'All due' }).getAttribute('href')).toBe('/crm/tasks?view=today')
})

test('bookings to come are shown with day, time and name, and link to the calendar', async () => {
  mockServerWith(filledDashboard)
  await renderApp('/dashboard')
  const bookings = await findTile('Bookings')
  expect(await bookings.findByText('1 today, 12 to come')).toBeTruthy()
  const link = bookings.getByRole('link', { name: 'Site visit' })
  expect(link.getAttribute('href')).toMatch(/^\/bookings\/calendar\/01930000-0000-7000-8000-0000000000c1\?day=\d{4}-\d\d-\d\d$/)
  expect(link.closest('li')?.textContent).toBe('Site visit Imara VantongerenToday 14:00')
  expect(bookings.getByRole('link', { name: 'Calendar' }).getAttribute('href')).toBe('/bookings/calendar')
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
  expect((await findTile('Tasks due')).getByText('6')).toBeTruthy() // 4 are due today and 2 are overdue
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
  expect(await pipeline.findByText('£118,335')).toBeTruthy() // the sum over all stages
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
  expect((await contacts.findByText(/this week/)).textContent).toMatch(/^20 this week/) // 13 + 5 + 2 of three sources
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
  mockServerWith({ ...emptyDashboard, empty: false })
  await renderApp('/dashboard')
  expect(await (await findTile('Tasks due')).findByText(/^Nothing is due today/)).toBeTruthy()
  expect((await findTile('Pipeline')).getByText(/^No deal is open/)).toBeTruthy()
  expect((await findTile('New contacts')).getByText('Nobody new in the last twelve weeks.')).toBeTruthy()
})

test('the storage tile shows the used space by type, the trash and the free space, and links to the files', async () => {
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

test('without files, the storage tile says how much space there is', async () => {
  const server = mockServerWith(filledDashboard)
  server.setHandlers({ 'GET /api/storage': { ...storage, used_bytes: 0, file_count: 0, trash_bytes: 0, groups: [] } })
  await renderApp('/dashboard')
  expect(await (await findTile('Storage')).findByText('No files yet. There is space for 10.0 GB of them.')).toBeTruthy()
})

test('the storage tile says when records and their history use more than 80 % of their space', async () => {
  const server = mockServerWith(filledDashboard)
  server.setHandlers({ 'GET /api/storage': { ...storage, record_bytes: 1.75 * 1024 ** 3 } }) // of 2 GB
  await renderApp('/dashboard')
  const tile = await findTile('Storage')
  expect(await tile.findByText(/^Records and their history use 1\.8 GB of 2\.0 GB\./)).toBeTruthy()
  expect(tile.getByRole('link', { name: 'Erase history' }).getAttribute('href')).toBe('/account')
})

test('when the storage tile cannot be loaded, it shows the error, and a button loads it again', async () => {
  const server = mockServerWith(filledDashboard)
  server.setHandlers({ 'GET /api/storage': () => problemResponse('internal') })
  await renderApp('/dashboard')
  const tile = await findTile('Storage')
  expect((await tile.findByRole('alert')).textContent).toContain('Storage could not be loaded.')
  server.setHandlers({ 'GET /api/storage': storage })
  fireEvent.click(tile.getByRole('button', { name: 'Try again' }))
  expect(await tile.findByText('3.3 GB of 10.0 GB, 412 files')).toBeTruthy()
})

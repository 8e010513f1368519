import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import { changeResponse, nora, problemResponse, renderApp, mockServer, setWindowWidth } from '#web/testing.ts'
import { drawings, invoice, makePage, van } from './testing.ts'

// happy-dom has no layout, and the list renders only the rows that fit into its height
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200)
})

const changeId = '01930000-0000-7000-8000-0000000000e1'

function mockServerWith(...tasks: Task[]) {
  return mockServer({
    'GET /api/session': nora,
    // without a filter there is one task more, so that the page never says that there are no tasks at all
    'GET /api/tasks/count': ({ query }) => ({ count: query['filter'] === '[]' ? tasks.length + 1 : tasks.length, more: false }),
    // only the request of "Done today" has a condition on `completed_at`
    'GET /api/tasks': ({ query }) => makePage(query['filter']?.includes('completed_at') ? [] : tasks),
    'GET /api/tasks/{id}': ({ params }) => tasks.find(({ id }) => id === params['id']) ?? problemResponse('not_found'),
    'GET /api/changes': { rows: [], next: null },
  })
}

const findRow = async (title: string) => {
  const row = (await screen.findByRole('link', { name: title })).closest('tr')
  if (!row) throw new Error(`No row with the title ${title}`)
  return within(row)
}

test('a row shows the title, due date, priority, status and links of a task', async () => {
  mockServerWith(drawings, invoice)
  await renderApp('/crm/tasks')
  const row = await findRow('Send the drawings')
  expect(row.getByText('Yesterday').getAttribute('title')).toMatch(/^\w+day, \d+ \w+ \d{4}$/)
  expect(row.getByLabelText('Overdue')).toBeTruthy()
  expect(row.getByText('High')).toBeTruthy()
  expect(row.getByText('In progress')).toBeTruthy()
  expect(row.getByText('Imara Vantongeren')).toBeTruthy()
  expect((await findRow('Write the invoice')).queryByLabelText('Overdue')).toBeNull()
  expect(document.title).toBe('Tasks - Foyer')
})

test('on a phone the second line shows the due date, a high priority and the linked record, separated by dots', async () => {
  setWindowWidth(390)
  mockServerWith({ ...invoice, contact_name: 'Imara Vantongeren' }, drawings, { ...van, due_date: null, deal_title: 'Waiting room' })
  await renderApp('/crm/tasks')
  await screen.findByRole('link', { name: 'Book the van' })
  const getSecondLine = (name: string) => screen.getByRole('link', { name }).nextElementSibling?.textContent
  expect(['Write the invoice', 'Send the drawings', 'Book the van'].map(getSecondLine)).toEqual([
    'Today · Imara Vantongeren',
    'Yesterday · High priority · Waiting room',
    'Waiting room',
  ])
})

test('when midnight passes, a task of the day becomes overdue, and the server is asked again for the tasks', async () => {
  vi.useFakeTimers({ now: new Date(`${van.due_date}T23:59:30Z`), toFake: ['Date', 'setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = mockServerWith(van)
  await renderApp('/crm/tasks')
  const row = await findRow('Book the van')
  expect([row.queryByText('Today'), row.queryByLabelText('Overdue')]).toEqual([expect.anything(), null])
  const countRequests = () => server.requestsTo('GET /api/tasks').filter(({ query }) => !query['filter']?.includes('completed_at')).length
  const before = countRequests()
  act(() => void vi.advanceTimersByTime(60_000))
  expect(row.getByText('Yesterday')).toBeTruthy()
  expect(row.getByLabelText('Overdue')).toBeTruthy()
  await waitFor(() => expect(countRequests()).toBeGreaterThan(before))
})

test('checking a task shows it as completed at once, sends only the status, and a toast offers Undo', async () => {
  const server = mockServerWith(drawings)
  const { promise, resolve } = Promise.withResolvers<undefined>()
  server.setHandlers({
    'PATCH /api/tasks/{id}': async () => {
      await promise
      return changeResponse(changeId, { ...drawings, status: 'completed', version: 4 })
    },
  })
  await renderApp('/crm/tasks')
  const row = await findRow('Send the drawings')
  fireEvent.click(row.getByRole('checkbox', { name: 'Complete: Send the drawings' }))
  expect(row.getByRole<HTMLInputElement>('checkbox', { name: 'Complete: Send the drawings' }).checked).toBe(true)
  expect(row.getByText('Completed')).toBeTruthy()
  server.setHandlers({ 'GET /api/tasks': makePage([{ ...drawings, status: 'completed', version: 4 }]) })
  resolve(undefined)
  expect(await screen.findByText('Task marked as completed')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(server.requestsTo('PATCH /api/tasks/{id}')[0]?.body).toEqual({ status: 'completed' })
})

test('a tab requests the open tasks with a due date in its range, and the address contains the name of the tab', async () => {
  const server = mockServerWith(van)
  const { router } = await renderApp('/crm/tasks?search=van')
  const tabs = within(await screen.findByRole('navigation', { name: 'Tasks by day' }))
  // without the name of a tab in the address, a search opens the tab All
  expect(tabs.getByRole('link', { name: 'All' }).getAttribute('aria-current')).toBe('page')
  fireEvent.click(await tabs.findByRole('link', { name: /^Overdue/ }))
  await waitFor(() => expect(router.state.location.search).toEqual({ search: 'van', view: 'overdue' }))
  await waitFor(() =>
    expect(server.requestsTo('GET /api/tasks').at(-1)?.query).toMatchObject({ search: 'van', sort: 'due_date', order: 'asc' }),
  )
  expect(JSON.parse(server.requestsTo('GET /api/tasks').at(-1)?.query['filter'] ?? '')).toEqual([
    { field: 'due_date', is: ['overdue'] },
    { field: 'status', is: ['pending', 'in-progress'] },
  ])
  expect(tabs.getByRole('link', { name: /^Overdue/ }).getAttribute('aria-current')).toBe('page')
  expect(tabs.getByRole('link', { name: 'Today 1' })).toBeTruthy()
})

test('a task opens in a panel over the list, with its links and a button that completes the task', async () => {
  const server = mockServerWith(drawings)
  server.setHandlers({ 'PATCH /api/tasks/{id}': changeResponse(changeId, { ...drawings, status: 'completed' }) })
  const { router } = await renderApp('/crm/tasks')
  fireEvent.click(await screen.findByRole('link', { name: 'Send the drawings' }))
  const panel = within(await screen.findByRole('complementary', { name: 'Task' }))
  expect(await panel.findByRole('heading', { name: 'Send the drawings' })).toBeTruthy()
  expect(router.state.location.pathname).toBe(`/crm/tasks/${drawings.id}`)
  expect(panel.getByRole('link', { name: 'Imara Vantongeren' }).getAttribute('href')).toBe(`/crm/contacts/${drawings.contact_id}`)
  expect(panel.getByRole('link', { name: 'Waiting room' }).getAttribute('href')).toBe(`/crm/deals/${drawings.deal_id}`)
  expect(panel.getByText('With the lowered desk.')).toBeTruthy()
  fireEvent.click(panel.getByRole('button', { name: 'Complete' }))
  expect(await screen.findByText('Task marked as completed')).toBeTruthy()
})

test('a task is added with the prefilled values of the address and a due date', async () => {
  const server = mockServerWith(van)
  server.setHandlers({ 'POST /api/tasks': ({ body }) => changeResponse(changeId, { ...van, ...Object(body), id: van.id }, 201) })
  await renderApp('/crm/tasks/new?title=Call%20the%20landlord')
  const title = await screen.findByLabelText<HTMLInputElement>(/^Title/)
  expect(title.value).toBe('Call the landlord')
  fireEvent.change(screen.getByLabelText(/^Due date/), { target: { value: '04/12/2026' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save task' }))
  expect(await screen.findByText('Task created')).toBeTruthy()
  expect(server.requestsTo('POST /api/tasks')[0]?.body).toEqual({
    id: expect.any(String),
    title: 'Call the landlord',
    due_date: '2026-12-04',
  })
})

test('a task needs a title', async () => {
  const server = mockServerWith(van)
  await renderApp('/crm/tasks/new')
  fireEvent.click(await screen.findByRole('button', { name: 'Save task' }))
  expect(await screen.findByText('Enter a title')).toBeTruthy()
  expect(server.requestsTo('POST /api/tasks')).toEqual([])
})

test('when the field of the due date is cleared, the due date is removed', async () => {
  const server = mockServerWith(drawings)
  server.setHandlers({ 'PATCH /api/tasks/{id}': changeResponse(changeId, { ...drawings, due_date: null, version: 4 }) })
  await renderApp(`/crm/tasks/${drawings.id}/edit`)
  fireEvent.change(await screen.findByLabelText(/^Due date/), { target: { value: '' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save task' }))
  expect(await screen.findByText('Task updated')).toBeTruthy()
  expect(server.requestsTo('PATCH /api/tasks/{id}')[0]?.body).toEqual({ due_date: null, version: 3 })
})

test('when one task is due, the sidebar says so in the singular', async () => {
  mockServerWith(van)
  await renderApp('/crm/tasks')
  expect(await screen.findByTitle('1 task due or overdue')).toBeTruthy()
})

test('the sidebar shows the number of open tasks that are due', async () => {
  const server = mockServerWith(drawings, van)
  await renderApp('/crm/tasks')
  expect(await screen.findByTitle('2 tasks due or overdue')).toBeTruthy()
  const filters = server.requestsTo('GET /api/tasks/count').map(({ query }) => query['filter'] ?? '[]')
  expect(filters.map((filter) => JSON.parse(filter))).toContainEqual([
    { field: 'due_date', is: ['overdue', 'today'] },
    { field: 'status', is: ['pending', 'in-progress'] },
  ])
})

test.each([
  ['today', 'Nothing is due today', 'Tasks show here on the day they are due.', 'See what comes next', '/crm/tasks?view=upcoming'],
  [
    'overdue',
    'Nothing is overdue',
    'Tasks that are not done on their day show here until they are.',
    'See what is due today',
    '/crm/tasks?view=today',
  ],
  ['upcoming', 'Nothing is planned', 'Give a task a due date after today, and it shows here.', 'See all tasks', '/crm/tasks?view=all'],
])('the empty tab %s shows a message and a link to another tab', async (tabName, title, text, action, href) => {
  mockServerWith()
  await renderApp(`/crm/tasks?view=${tabName}`)
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy()
  expect(screen.getByText(text)).toBeTruthy()
  const tabs = within(screen.getByRole('navigation', { name: 'Tasks by day' })).getAllByRole('link')
  expect(tabs.map(({ textContent }) => textContent)).toEqual(['Today0', 'Overdue0', 'Upcoming0', 'All'])
  expect(screen.getByRole('link', { name: action }).getAttribute('href')).toBe(href)
})

test('a search without results in a tab shows the same message as in any list', async () => {
  mockServerWith()
  await renderApp('/crm/tasks?view=today&search=van')
  expect(await screen.findByRole('heading', { name: 'Nothing found' })).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'Nothing is due today' })).toBeNull()
})

test('the page opens with the tab Today, whose list also has the overdue tasks, on top', async () => {
  const server = mockServerWith(drawings, van)
  await renderApp('/crm/tasks')
  await findRow('Send the drawings')
  const tabs = within(screen.getByRole('navigation', { name: 'Tasks by day' }))
  expect(tabs.getByRole('link', { name: /^Today/ }).getAttribute('aria-current')).toBe('page')
  const { query } = server.requestsTo('GET /api/tasks').find((request) => !request.query['filter']?.includes('completed_at')) ?? {}
  expect(query).toMatchObject({ sort: 'due_date', order: 'asc' })
  expect(JSON.parse(query?.['filter'] ?? '')).toEqual([
    { field: 'due_date', is: ['overdue', 'today'] },
    { field: 'status', is: ['pending', 'in-progress'] },
  ])
})

test('below the list of the tab Today, a button shows the tasks that were completed today', async () => {
  const server = mockServerWith(van)
  server.setHandlers({ 'GET /api/tasks': ({ query }) => makePage(query['filter']?.includes('completed_at') ? [invoice] : [van]) })
  const { router } = await renderApp('/crm/tasks')
  const done = within(await screen.findByRole('region', { name: 'Done today' }))
  const toggle = done.getByRole('button', { name: 'Done today 1' })
  expect(screen.queryByRole('link', { name: 'Write the invoice' })).toBeNull()
  fireEvent.click(toggle)
  expect(toggle.getAttribute('aria-expanded')).toBe('true')
  expect(done.getByRole<HTMLInputElement>('checkbox', { name: 'Complete: Write the invoice' }).checked).toBe(true)
  await router.navigate({ href: '/crm/tasks?view=upcoming' })
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Done today' })).toBeNull())
})

test('a user without any task reads what tasks are for', async () => {
  const server = mockServerWith()
  server.setHandlers({ 'GET /api/tasks/count': { count: 0, more: false } })
  await renderApp('/crm/tasks')
  expect(await screen.findByRole('heading', { name: 'No tasks yet' })).toBeTruthy()
  const text = 'What you have to do, and by when: a call, a letter, a visit. A task can belong to a contact or a deal.'
  expect(screen.getByText(text)).toBeTruthy()
})

test('in the bulk edit of tasks, a due date is typed in the order of the country of the profile: day, month, year', async () => {
  const server = mockServerWith(van)
  server.setHandlers({ 'POST /api/tasks/bulk/edit': changeResponse(changeId) })
  await renderApp('/crm/tasks')
  fireEvent.click((await findRow('Book the van')).getByRole('checkbox', { name: 'Select Book the van' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit 1 task' }))
  fireEvent.change(dialog.getByRole('combobox', { name: 'Field' }), { target: { value: 'due_date' } })
  const field = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Due date' })
  const save = dialog.getByRole<HTMLButtonElement>('button', { name: 'Update 1 task' })
  fireEvent.change(field, { target: { value: '12/31/2026' } })
  fireEvent.blur(field)
  expect(dialog.getByText(/^Enter a date as day\/month\/year/)).toBeTruthy()
  expect(save.disabled).toBe(true)
  fireEvent.change(field, { target: { value: '31/12/2026' } })
  fireEvent.click(save)
  await waitFor(() =>
    expect(server.requestsTo('POST /api/tasks/bulk/edit')[0]?.body).toEqual({ ids: [van.id], fields: { due_date: '2026-12-31' } }),
  )
})

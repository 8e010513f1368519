import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { formatExactDay, getToday } from '#web/lib/format.ts'
import { queries } from '#web/lib/queries.ts'
import { parseTypedDay } from '#web/records/form/typedDay.ts'
import { changeResponse, nora, renderApp, mockServer } from '#web/testing.ts'
import { makePage, van } from './testing.ts'

test.each([
  ['view=today&sort=title', { title: 'Call the landlord', due_date: getToday() }],
  ['view=overdue&search=van&columns=due_date', { title: 'Call the landlord' }],
])('a task that is added from the list with the parameters %s is saved with the fields %j', async (search, body) => {
  const server = mockServer({
    'GET /api/session': nora,
    'GET /api/tasks': makePage([van]),
    'GET /api/tasks/count': { count: 1, more: false },
    'GET /api/views': { rows: [] },
    'POST /api/tasks': changeResponse('01930000-0000-7000-8000-0000000000e7', van, 201),
  })
  await renderApp(`/crm/tasks/new?${search}`)
  fireEvent.change(await screen.findByLabelText(/^Title/), { target: { value: 'Call the landlord' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save task' }))
  expect(await screen.findByText('Task created')).toBeTruthy()
  expect(server.requestsTo('POST /api/tasks')[0]?.body).toEqual({ id: expect.any(String), ...body })
})

const tomorrow = (): string => new Date(Date.parse(getToday()) + 86_400_000).toISOString().slice(0, 10)

/** Opens the dialog of a new task and types the title, unless the address has it. */
async function typeTitle(text: string, search = '') {
  const server = mockServer({
    'GET /api/session': nora,
    'GET /api/tasks': makePage([van]),
    'GET /api/tasks/count': { count: 1, more: false },
    'GET /api/views': { rows: [] },
    'POST /api/tasks': changeResponse('01930000-0000-7000-8000-0000000000e7', van, 201),
  })
  await renderApp(`/crm/tasks/new?view=all${search}`)
  const title = await screen.findByLabelText<HTMLInputElement>(/^Title/)
  if (title.value !== text) fireEvent.change(title, { target: { value: text } })
  return server
}

/** Changes the title, and waits until the date in it was read. */
const changeTitle = (text: string): Promise<void> =>
  act(async () => void fireEvent.change(screen.getByLabelText(/^Title/), { target: { value: text } }))

const enterDueDate = (day: string): void => {
  fireEvent.change(screen.getByLabelText(/^Due date/), { target: { value: day } })
}

const getDueDate = () => parseTypedDay(screen.getByLabelText<HTMLInputElement>(/^Due date/).value) ?? ''

/** Saves the task. Returns the body of the request. */
async function save(server: Awaited<ReturnType<typeof typeTitle>>) {
  fireEvent.click(screen.getByRole('button', { name: 'Save task' }))
  expect(await screen.findByText('Task created')).toBeTruthy()
  return server.requestsTo('POST /api/tasks')[0]?.body
}

test('a date in the title becomes the due date, and the time of day stays in the title', async () => {
  const server = await typeTitle('call the supplier tomorrow 3pm')
  expect(await screen.findByText(/, saved as “call the supplier 3pm”\. Tasks have no time, so it stays in the title\.$/)).toBeTruthy()
  expect(getDueDate()).toBe(tomorrow())
  expect(await save(server)).toEqual({ id: expect.any(String), title: 'call the supplier 3pm', due_date: tomorrow() })
})

test('the hint says nothing about times when the title contains none', async () => {
  await typeTitle('call the supplier tomorrow')
  expect(await screen.findByText(/, saved as “call the supplier”$/)).toBeTruthy()
})

test('the toast of a new task names its due date', async () => {
  const server = await typeTitle('call the supplier tomorrow')
  const task = { ...van, due_date: tomorrow() }
  server.setHandlers({ 'POST /api/tasks': changeResponse('01930000-0000-7000-8000-0000000000e7', task, 201) })
  await save(server)
  expect(screen.getByText(`Due ${formatExactDay(tomorrow())}`)).toBeTruthy()
})

test('the toast of a new task without a due date has a title only', async () => {
  const server = await typeTitle('call the supplier')
  const task = { ...van, due_date: null }
  server.setHandlers({ 'POST /api/tasks': changeResponse('01930000-0000-7000-8000-0000000000e7', task, 201) })
  await save(server)
  expect(screen.queryByText(/^Due .* 20\d\d$/)).toBeNull()
})

test('the user can keep the title as it was typed', async () => {
  const server = await typeTitle('buy a copy of Vogue today')
  fireEvent.click(await screen.findByRole('button', { name: 'Keep as typed' }))
  await waitFor(() => expect(getDueDate()).toBe(''))
  expect(screen.queryByRole('button', { name: 'Keep as typed' })).toBeNull()
  expect(await save(server)).toEqual({ id: expect.any(String), title: 'buy a copy of Vogue today' })
})

test('the due date that the user has entered stays when the title names the same date and is kept as it was typed', async () => {
  await typeTitle('call')
  const [year, month, day] = tomorrow().split('-')
  enterDueDate(`${day}/${month}/${year}`)
  await changeTitle('call tomorrow')
  fireEvent.click(await screen.findByRole('button', { name: 'Keep as typed' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep as typed' })).toBeNull())
  expect(getDueDate()).toBe(tomorrow())
})

test('when the date is deleted from the title, the due date is empty again', async () => {
  await typeTitle('call tomorrow')
  await screen.findByRole('button', { name: 'Keep as typed' })
  fireEvent.change(screen.getByLabelText(/^Title/), { target: { value: 'call' } })
  await waitFor(() => expect(getDueDate()).toBe(''))
})

test('a due date that the user enters is not replaced by a date in the title, and the title stays as it was typed', async () => {
  const server = await typeTitle('call tomorrow')
  await screen.findByRole('button', { name: 'Keep as typed' })
  enterDueDate('4/12/2099')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep as typed' })).toBeNull())
  fireEvent.change(screen.getByLabelText(/^Title/), { target: { value: 'call tomorrow 3pm' } })
  expect(await save(server)).toEqual({ id: expect.any(String), title: 'call tomorrow 3pm', due_date: '2099-12-04' })
})

/** Opens the dialog again, in which the draft is restored. */
async function reload(search = ''): Promise<void> {
  cleanup()
  queries.clear()
  await renderApp(`/crm/tasks/new?view=all${search}`)
  await screen.findByText(/What you typed before is back/)
}

test('after a reload, the due date still follows the date in the title, also after Start over', async () => {
  await typeTitle('call tomorrow')
  await screen.findByRole('button', { name: 'Keep as typed' })
  await reload()
  await screen.findByRole('button', { name: 'Keep as typed' })
  await changeTitle('call')
  expect(getDueDate()).toBe('')
  await changeTitle('call today')
  expect(getDueDate()).toBe(getToday())
  await reload()
  await screen.findByRole('button', { name: 'Keep as typed' })
  fireEvent.click(screen.getByRole('button', { name: 'Start over' }))
  await changeTitle('call tomorrow')
  expect(getDueDate()).toBe(tomorrow())
})

test('after a reload and Start over, the due date follows the title that the address has', async () => {
  const search = '&title=call%20tomorrow'
  await typeTitle('call tomorrow', search)
  await screen.findByRole('button', { name: 'Keep as typed' })
  await reload(search)
  await screen.findByRole('button', { name: 'Keep as typed' })
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Start over' })))
  expect(getDueDate()).toBe(tomorrow())
  await changeTitle('call today 3pm')
  expect(getDueDate()).toBe(getToday())
})

test('after a reload, a title that the user keeps as typed is still kept', async () => {
  const server = await typeTitle('call tomorrow')
  fireEvent.click(await screen.findByRole('button', { name: 'Keep as typed' }))
  await waitFor(() => expect(getDueDate()).toBe(''))
  await reload()
  await changeTitle('call tomorrow at noon')
  expect(getDueDate()).toBe('')
  expect(await save(server)).toEqual({ id: expect.any(String), title: 'call tomorrow at noon' })
})

test('after a reload, a due date that the user has entered is not replaced, also when the title then names the same date', async () => {
  await typeTitle('call')
  const [year, month, day] = tomorrow().split('-')
  enterDueDate(`${day}/${month}/${year}`)
  await reload()
  await changeTitle('call tomorrow')
  await screen.findByRole('button', { name: 'Keep as typed' })
  await changeTitle('call today')
  expect(getDueDate()).toBe(tomorrow())
})

/** The code that reads dates is not loaded until `reload`, as on a slow network. */
const delayReading = (): void =>
  void queries.fetchQuery({ queryKey: ['reader of due dates'], queryFn: () => new Promise<never>(() => {}) }).catch(() => {})

test('a date in a title that was typed before dates could be read becomes the due date after a reload', async () => {
  delayReading()
  const server = await typeTitle('call Ada tomorrow')
  expect(getDueDate()).toBe('')
  await reload()
  await screen.findByRole('button', { name: 'Keep as typed' })
  expect(getDueDate()).toBe(tomorrow())
  expect(await save(server)).toEqual({ id: expect.any(String), title: 'call Ada', due_date: tomorrow() })
})

test('a due date that was entered before dates could be read stays after a reload, and so does the title', async () => {
  delayReading()
  const server = await typeTitle('call Ada tomorrow')
  enterDueDate('4/12/2099')
  await reload()
  await changeTitle('call Ada tomorrow at noon')
  expect(await save(server)).toEqual({ id: expect.any(String), title: 'call Ada tomorrow at noon', due_date: '2099-12-04' })
})

test('after a reload, a due date that the user has removed is still empty', async () => {
  await typeTitle('call Ada tomorrow')
  await screen.findByRole('button', { name: 'Keep as typed' })
  enterDueDate('')
  await reload()
  await changeTitle('call Ada tomorrow at noon')
  expect(getDueDate()).toBe('')
})

test('a draft whose title names tomorrow keeps its title and its due date when it is saved on the next day', async () => {
  const server = await typeTitle('call Ada tomorrow')
  await screen.findByRole('button', { name: 'Keep as typed' })
  const dueDate = tomorrow()
  vi.setSystemTime(Date.now() + 86_400_000)
  onTestFinished(() => void vi.useRealTimers())
  await reload()
  await act(async () => {})
  expect(await save(server)).toEqual({ id: expect.any(String), title: 'call Ada tomorrow', due_date: dueDate })
})

test('a saved task gets no due date from its title', async () => {
  const server = mockServer({
    'GET /api/session': nora,
    'GET /api/tasks': makePage([van]),
    'GET /api/tasks/count': { count: 1, more: false },
    'GET /api/views': { rows: [] },
    'GET /api/tasks/{id}': { ...van, due_date: null },
    'PATCH /api/tasks/{id}': changeResponse('01930000-0000-7000-8000-0000000000e7', van),
  })
  await renderApp(`/crm/tasks/${van.id}/edit?view=all`)
  await screen.findByLabelText(/^Title/)
  await changeTitle('call Ada tomorrow')
  expect(screen.queryByRole('button', { name: 'Keep as typed' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Save task' }))
  await waitFor(() =>
    expect(server.requestsTo('PATCH /api/tasks/{id}')[0]?.body).toEqual({ title: 'call Ada tomorrow', version: van.version }),
  )
})

test('a task whose title was kept as typed gets no due date when it is saved while the user types', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const server = await typeTitle('call Ada tomorrow')
  const saved = { ...van, title: 'call Ada tomorrow', due_date: null }
  server.setHandlers({ 'POST /api/tasks': () => promise, 'GET /api/tasks/{id}': saved })
  fireEvent.click(await screen.findByRole('button', { name: 'Keep as typed' }))
  await reload() // saving ends the restored draft, and so the form would read the title again
  fireEvent.click(screen.getByRole('button', { name: 'Save task' }))
  await waitFor(() => expect(server.requestsTo('POST /api/tasks')).toHaveLength(1))
  fireEvent.change(screen.getByLabelText(/^Description/), { target: { value: 'About the van' } })
  resolve(changeResponse('01930000-0000-7000-8000-0000000000e7', saved, 201))
  await screen.findByRole('dialog', { name: 'Edit task' })
  expect(await screen.findByDisplayValue('About the van')).toBeTruthy()
  expect(getDueDate()).toBe('')
})

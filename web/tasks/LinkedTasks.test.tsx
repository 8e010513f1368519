import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import { imara } from '#web/contacts/testing.ts'
import { mockServerWith as mockDealsServer, waitingRoom } from '#web/deals/testing.ts'
import { changeResponse, problemResponse, renderApp } from '#web/testing.ts'
import { drawings, invoice, makePage, van } from './testing.ts'

function mockServerWith(...tasks: Task[]) {
  const server = mockDealsServer(waitingRoom)
  server.setHandlers({
    'GET /api/contacts/{id}': imara,
    'GET /api/tasks': makePage(tasks),
    'GET /api/tasks/count': { count: tasks.length, more: false },
    'GET /api/changes': { rows: [], next: null },
    'GET /api/notes': { rows: [], next: null, count: 0 },
  })
  return server
}

test('the panel of a deal shows the tasks of the deal, open tasks first, and a checkbox completes a task', async () => {
  const server = mockServerWith(invoice, drawings) // the invoice is completed
  server.setHandlers({
    'PATCH /api/tasks/{id}': changeResponse('01930000-0000-7000-8000-0000000000e1', { ...drawings, status: 'completed' }),
  })
  await renderApp(`/crm/deals/${waitingRoom.id}`)
  const section = within(await screen.findByRole('region', { name: 'Tasks' }))
  expect((await section.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual([
    'Send the drawings Yesterday',
    'Write the invoice Today',
  ])
  expect(JSON.parse(server.requestsTo('GET /api/tasks')[0]?.query['filter'] ?? '')).toEqual([{ field: 'deal_id', is: [waitingRoom.id] }])
  fireEvent.click(section.getByRole('checkbox', { name: 'Complete: Send the drawings' }))
  expect(await screen.findByText('Task marked as completed')).toBeTruthy()
})

test('a task that is added in the panel of a deal is linked to the deal and its contact', async () => {
  mockServerWith()
  const { router } = await renderApp(`/crm/deals/${waitingRoom.id}`)
  const section = within(await screen.findByRole('region', { name: 'Tasks' }))
  expect(await section.findByText('What is to be done next for this deal?')).toBeTruthy()
  fireEvent.click(section.getByRole('link', { name: 'Add task' }))
  expect(await screen.findByRole('heading', { name: 'Add task' })).toBeTruthy()
  expect(router.state.location.search).toMatchObject({ deal: waitingRoom.id, contact: imara.id })
  expect(await screen.findByDisplayValue('Waiting room')).toBeTruthy()
  expect(await screen.findByDisplayValue('Imara Vantongeren')).toBeTruthy()
})

test('the tab Tasks of a contact shows the tasks of the contact, each with its deal', async () => {
  const server = mockServerWith({ ...van, deal_id: waitingRoom.id, deal_title: 'Waiting room' })
  await renderApp(`/crm/contacts/${imara.id}?tab=tasks`)
  expect((await screen.findByRole('link', { name: 'Book the van' })).closest('li')?.textContent).toBe('Book the van Waiting roomToday')
  expect(screen.getByRole('link', { name: 'Add task' }).getAttribute('href')).toBe(`/crm/tasks/new?contact=${imara.id}`)
  expect(JSON.parse(server.requestsTo('GET /api/tasks')[0]?.query['filter'] ?? '')).toEqual([{ field: 'contact_id', is: [imara.id] }])
})

test('when the tasks cannot be loaded, the tab shows the reason and a button that tries again', async () => {
  const server = mockServerWith(van)
  server.setHandlers({ 'GET /api/tasks': () => problemResponse('internal') })
  await renderApp(`/crm/contacts/${imara.id}?tab=tasks`)
  expect(await screen.findByText(/The tasks could not be loaded\. Something went wrong/)).toBeTruthy()
  server.setHandlers({ 'GET /api/tasks': makePage([van]) })
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.getByRole('link', { name: 'Book the van' })).toBeTruthy())
})

const changeId = '01930000-0000-7000-8000-0000000000e1'

async function addTask(title: string): Promise<void> {
  fireEvent.change(await screen.findByRole('textbox', { name: 'Title' }), { target: { value: title } })
  fireEvent.click(screen.getByRole('button', { name: 'Save task' }))
  expect(await screen.findByText('Task created')).toBeTruthy()
}

test('the dialog of a task that is added to a deal returns to the panel of the deal, on save and on Cancel', async () => {
  const server = mockServerWith()
  server.setHandlers({
    'POST /api/tasks': () => changeResponse(changeId, { ...van, deal_id: waitingRoom.id, deal_title: 'Waiting room' }, 201),
  })
  const { router } = await renderApp(`/crm/deals/${waitingRoom.id}?search=oak`)
  const getAddLink = () => within(screen.getByRole('complementary', { name: 'Deal' })).getByRole('link', { name: 'Add task' })
  await screen.findByText('What is to be done next for this deal?')
  fireEvent.click(getAddLink())
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(router.state.location.href).toBe(`/crm/deals/${waitingRoom.id}?search=oak`))
  fireEvent.click(await waitFor(getAddLink))
  await addTask('Book the van')
  await waitFor(() => expect(router.state.location.href).toBe(`/crm/deals/${waitingRoom.id}?search=oak`))
  expect(await screen.findByRole('heading', { name: 'Waiting room' })).toBeTruthy()
})

test('the dialog of a task that is added to a contact returns to the tasks of the contact', async () => {
  const server = mockServerWith()
  server.setHandlers({ 'POST /api/tasks': () => changeResponse(changeId, van, 201) })
  const { router } = await renderApp(`/crm/contacts/${imara.id}?tab=tasks`)
  fireEvent.click(await screen.findByRole('link', { name: 'Add task' }))
  await addTask('Book the van')
  await waitFor(() => expect(router.state.location.href).toBe(`/crm/contacts/${imara.id}?tab=tasks`))
})

test('when the dialog was opened with its own address, closing it opens the deal or the contact that the address names', async () => {
  mockServerWith()
  const { router } = await renderApp(`/crm/tasks/new?deal=${waitingRoom.id}&contact=${imara.id}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(router.state.location.href).toBe(`/crm/deals/${waitingRoom.id}`))
  const { router: secondRouter } = await renderApp(`/crm/tasks/new?contact=${imara.id}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(secondRouter.state.location.href).toBe(`/crm/contacts/${imara.id}?tab=tasks`))
})

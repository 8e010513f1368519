import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { View } from '#contract/views.ts'
import { setElementSize } from '#web/contacts/testing.ts'
import { changeResponse, mockServer, nora, renderApp, setWindowWidth } from '#web/testing.ts'
import { invoice, makePage } from './testing.ts'

const makeView = (name: string, address: string): View => ({
  id: '01930000-0000-7000-8000-0000000000a5',
  list: 'tasks',
  name,
  address,
  created_at: invoice.created_at,
  updated_at: invoice.created_at,
  version: 1,
})
const mockServerWith = (...views: View[]) =>
  mockServer({
    'GET /api/session': nora,
    'GET /api/tasks': makePage([invoice]),
    'GET /api/tasks/count': { count: 1, more: false },
    'GET /api/views': { rows: views },
  })
const clickButton = async (name: string): Promise<void> => void fireEvent.click(await screen.findByRole('button', { name }))
const clickItem = async (name: string): Promise<void> => void fireEvent.click(await screen.findByRole('menuitemradio', { name }))

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

test('a saved view that is opened in the tab Today shows the tasks of all days', async () => {
  mockServerWith(makeView('By title', 'sort=title'))
  const { router } = await renderApp('/crm/tasks')
  await clickButton('Views')
  await clickItem('By title')
  await waitFor(() => expect(router.state.location.search).toEqual({ view: 'all', sort: 'title' }))
})

test('a view that is saved in the tab Today keeps the sort of this tab', async () => {
  const view = makeView('Vans', 'search=van&sort=due_date')
  const server = mockServerWith()
  server.setHandlers({ 'POST /api/views': changeResponse('c-1', view, 201) })
  const { router } = await renderApp('/crm/tasks?view=today&search=van')
  await clickButton('Save view')
  fireEvent.change(await screen.findByRole('textbox', { name: 'Name' }), { target: { value: 'Vans' } })
  server.setHandlers({ 'GET /api/views': { rows: [view] } })
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Save view' }))
  expect(await screen.findByRole('button', { name: 'View: Vans' })).toBeTruthy()
  expect(server.requestsTo('POST /api/views')[0]?.body).toMatchObject({ list: 'tasks', name: 'Vans', address: view.address })
  await router.navigate({ href: '/crm/tasks?view=upcoming' })
  await clickButton('Views')
  await clickItem('Vans')
  await waitFor(() => expect(router.state.location.search).toEqual({ view: 'all', search: 'van', sort: 'due_date' }))
  expect(screen.getByRole('button', { name: 'View: Vans' })).toBeTruthy()
})

test('the default sort of the tab Today is neither shown as the view with this sort nor offered for saving', async () => {
  mockServerWith(makeView('By due date', 'sort=due_date'))
  const { router } = await renderApp('/crm/tasks?view=all&sort=due_date')
  expect(await screen.findByRole('button', { name: 'View: By due date' })).toBeTruthy()
  await router.navigate({ href: '/crm/tasks' })
  expect(await screen.findByRole('button', { name: 'Views' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Save view' })).toBeNull()
})

test('in the tab Today the menu checks no item, so that All tasks and a view with the same search can be opened from it', async () => {
  mockServerWith(makeView('Vans', 'search=van'))
  const { router } = await renderApp('/crm/tasks')
  await clickButton('Views')
  const item = await screen.findByRole('menuitemradio', { name: 'All tasks' })
  expect(item.getAttribute('aria-checked')).toBe('false')
  fireEvent.click(item)
  await waitFor(() => expect(router.state.location.search).toEqual({ view: 'all' }))
  await router.navigate({ href: '/crm/tasks?view=today&search=van&sort=newest' })
  await clickButton('View: Vans')
  await clickItem('Vans')
  await waitFor(() => expect(router.state.location.search).toEqual({ view: 'all', search: 'van' }))
})

import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { bastian, formRoutes, imara, setElementSize } from '#web/contacts/testing.ts'
import { queries } from '#web/lib/queries.ts'
import { changeResponse, mockServer, nora, problemResponse, renderApp } from '#web/testing.ts'

beforeEach(setElementSize)

const address = `/crm/contacts/${imara.id}`
const update = 'PATCH /api/contacts/{id}'
const saved = changeResponse('c-1', { ...imara, reports_to_id: bastian.id, version: 4 })
const emptyCount = { count: 0, more: false }
const routes = {
  ...formRoutes,
  'GET /api/contacts/tags': { tags: [] },
  'GET /api/notes': { rows: [], next: null, count: 0 },
  'GET /api/deals/count': emptyCount,
  'GET /api/tasks/count': emptyCount,
}
const edit = async (noun: string) => fireEvent.click(await screen.findByRole('button', { name: `Edit ${noun}` }))
const getPhone = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Phone optional' })
const typePhone = (value: string) => fireEvent.change(getPhone(), { target: { value } })

test('Escape that ends the composition of a word does not close the editor', async () => {
  mockServer(routes)
  await renderApp(address)
  await edit('phone')
  typePhone('野')
  fireEvent.keyDown(getPhone(), { key: 'Escape', isComposing: true })
  expect(getPhone().value).toBe('野')
})

const phoneConflict = {
  version: 7,
  actor: `user:${nora.user.id}`,
  actor_name: null,
  at: '2026-11-20T09:00:00.000Z',
  fields: [{ field: 'phone', yours: '222', theirs: '333' }],
}

test.each([
  ['a conflict', () => problemResponse('conflict', { conflict: phoneConflict }), /^This was changed somewhere else/],
  ['a deleted record', () => problemResponse('not_found'), /^There is nothing here/],
  ['an invalid value', () => problemResponse('invalid', { fields: { phone: 'Enter a phone number' } }), /^Some of this needs another look/],
])('if a save fails because of %s after the user has left the page, a toast says what was not saved', async (_name, respond, reason) => {
  const { promise: whenLeft, resolve: sendResponse } = Promise.withResolvers<void>()
  const server = mockServer({ ...routes, [update]: () => whenLeft.then(respond) })
  const { router } = await renderApp(address)
  await edit('phone')
  typePhone('222')
  act(() => getPhone().blur())
  await waitFor(() => expect(server.requestsTo(update)).toHaveLength(1))
  await act(() => router.navigate({ to: '/crm/contacts' }))
  await screen.findByRole('table', { name: 'Contacts' })
  sendResponse()
  const toast = await screen.findByRole('alert')
  expect(toast.textContent).toMatch(/^Phone was not saved/)
  expect(toast.textContent?.replace('Phone was not saved', '')).toMatch(reason)
})

test('text that is typed on the page of a record stays when the record is deleted elsewhere, and can be saved with the record', async () => {
  const server = mockServer({ ...routes, [update]: () => problemResponse('not_found') })
  await renderApp(address)
  await edit('phone')
  typePhone('222')
  server.setHandlers({ 'GET /api/contacts/{id}': problemResponse('not_found') })
  await act(() => queries.invalidateQueries())
  expect(await screen.findByText('This contact was deleted')).toBeTruthy()
  expect(document.activeElement).toBe(getPhone())
  expect(getPhone().value).toBe('222')
  act(() => getPhone().blur())
  expect(await screen.findByRole('button', { name: 'Restore and save' })).toBeTruthy()
  expect(getPhone().value).toBe('222')
})

test.each([
  ['a conflict', () => problemResponse('conflict', { conflict: phoneConflict }), () => screen.findByRole('radio', { name: /^333/ })],
  ['a deleted record', () => problemResponse('not_found'), () => screen.findByRole('button', { name: 'Restore and save' })],
])('after %s, leaving the editor does not save again, because the user has to decide first', async (_name, respond, findControl) => {
  const server = mockServer({ ...routes, [update]: respond })
  await renderApp(address)
  await edit('phone')
  typePhone('222')
  act(() => getPhone().blur())
  const control = await findControl()
  await waitFor(() => expect(queries.isMutating()).toBe(0))
  act(() => control.focus())
  act(() => control.blur())
  expect(queries.isMutating()).toBe(0)
  expect(server.requestsTo(update)).toHaveLength(1)
})

test('text that the user discards when leaving the page is not saved, although the dialog takes the focus from the input', async () => {
  const server = mockServer({ ...routes, [update]: saved })
  const { router } = await renderApp(address)
  await edit('phone')
  typePhone('222')
  act(() => void router.navigate({ to: '/crm/contacts' }))
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
  fireEvent.click(screen.getByRole('button', { name: 'Discard changes' }))
  await screen.findByRole('table', { name: 'Contacts' })
  expect(server.requestsTo(update)).toEqual([])
})

/** Saves a phone number, and types another character before the response. `resolve` sends the response. */
async function typeDuringSave() {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const server = mockServer({ ...routes, [update]: () => promise })
  await renderApp(address)
  await edit('phone')
  typePhone('222')
  fireEvent.submit(getPhone().form ?? getPhone())
  await waitFor(() => expect(server.requestsTo(update)).toHaveLength(1))
  typePhone('2223')
  return { server, resolve }
}

test('text that is typed while the editor saves stays in the editor', async () => {
  const { resolve } = await typeDuringSave()
  resolve(changeResponse('c-1', { ...imara, phone: '222', version: 4 }))
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  await waitFor(() => expect(queries.isMutating()).toBe(0))
  expect(getPhone().value).toBe('2223')
})

test('text that is typed while the editor saves is saved too if the user has left the editor', async () => {
  const { server, resolve } = await typeDuringSave()
  act(() => getPhone().blur())
  server.setHandlers({ [update]: changeResponse('c-2', { ...imara, phone: '2223', version: 5 }) })
  resolve(changeResponse('c-1', { ...imara, phone: '222', version: 4 }))
  await waitFor(() => expect(server.requestsTo(update)).toHaveLength(2))
  expect(server.requestsTo(update)[1]?.body).toEqual({ phone: '2223', version: 4 })
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Phone optional' })).toBeNull())
})

test('text that is typed while the editor saves is there again if the user has left the page before the response', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const server = mockServer({ ...routes, [update]: () => promise })
  const { router } = await renderApp(address)
  await edit('phone')
  typePhone('222')
  fireEvent.submit(getPhone().form ?? getPhone())
  await waitFor(() => expect(server.requestsTo(update)).toHaveLength(1))
  typePhone('2223')
  await act(() => router.navigate({ to: '/crm/contacts' }))
  await screen.findByRole('table', { name: 'Contacts' })
  server.setHandlers({ 'GET /api/contacts/{id}': { ...imara, phone: '222', version: 4 } })
  resolve(changeResponse('c-1', { ...imara, phone: '222', version: 4 }))
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  await waitFor(() => expect(queries.isMutating()).toBe(0))
  await act(() => router.navigate({ to: address }))
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Phone optional' })).value).toBe('2223')
})

const getReportsTo = () => screen.getByLabelText<HTMLInputElement>('Reports to optional', { selector: 'input' })

async function openReportsTo(): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name: /^Show .* empty fields/ }))
  await edit('reports to')
  await waitFor(() => expect(document.activeElement).toBe(getReportsTo()))
}

/** Opens the editor of the field “Reports to”, and types the whole name of Bastian. */
async function typeManager(): Promise<void> {
  await openReportsTo()
  fireEvent.change(getReportsTo(), { target: { value: 'Bastian Ollerquist' } })
  await screen.findByRole('option', { name: /^Bastian Ollerquist/ })
  await waitFor(() => expect(queries.isFetching()).toBe(0))
  expect(screen.queryByRole('link', { name: 'Open reports to in a new tab' })).toBeNull() // not selected while the user types
}

test('a link to the record whose exact title was typed is saved when the user leaves the field', async () => {
  const server = mockServer({ ...routes, [update]: saved })
  await renderApp(address)
  await typeManager()
  act(() => getReportsTo().blur())
  await waitFor(() => expect(server.requestsTo(update)).toHaveLength(1))
  expect(server.requestsTo(update)[0]?.body).toEqual({ reports_to_id: bastian.id, version: 3 })
  await waitFor(() => expect(screen.queryByLabelText('Reports to optional', { selector: 'input' })).toBeNull())
})

test.each([
  ['switches to another window', () => fireEvent.blur(getReportsTo())], // the active element stays the same
  ['moves to the button Cancel', () => screen.getByRole('button', { name: 'Cancel editing reports to' }).focus()],
])('a link to the record whose exact title was typed is not saved when the user %s', async (_name, leave) => {
  const server = mockServer({ ...routes, [update]: saved })
  await renderApp(address)
  await typeManager()
  act(() => {
    leave()
  })
  // the record is selected
  expect(await screen.findByRole('link', { name: 'Open reports to in a new tab' })).toBeTruthy()
  expect(queries.isMutating()).toBe(0)
  expect(server.requestsTo(update)).toEqual([])
})

test('Escape in an open list with a typed text closes only the list', async () => {
  mockServer(routes)
  await renderApp(address)
  await typeManager()
  fireEvent.keyDown(getReportsTo(), { key: 'Escape', code: 'Escape' })
  expect(getReportsTo().value).toBe('Bastian Ollerquist')
})

test('a record that is found after the user has left the editor and come back is selected, but not saved', async () => {
  const { promise, resolve } = Promise.withResolvers<object>()
  const server = mockServer({ ...routes, [update]: saved })
  await renderApp(address)
  await openReportsTo()
  server.setHandlers({ 'GET /api/contacts': () => promise })
  fireEvent.change(getReportsTo(), { target: { value: 'Bastian Ollerquist' } })
  act(() => getReportsTo().blur())
  act(() => screen.getByRole('button', { name: 'Cancel editing reports to' }).focus())
  resolve(routes['GET /api/contacts'])
  expect(await screen.findByRole('link', { name: 'Open reports to in a new tab' })).toBeTruthy()
  expect(queries.isMutating()).toBe(0)
  expect(server.requestsTo(update)).toEqual([])
})

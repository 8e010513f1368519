import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { changeResponse, nora, problemResponse, renderApp, mockServer } from '#web/testing.ts'
import {
  editImaraAddress,
  waitForImara,
  field,
  formRoutes as routes,
  makeChangeSet,
  setElementSize,
  imara,
  save,
  sunniva,
  type,
} from './testing.ts'

const update = 'PATCH /api/contacts/{id}' // these requests contain the version of Imara's record, which is 3
const create = 'POST /api/contacts'
const restore = 'POST /api/trash/{id}/restore'

beforeEach(setElementSize)

test('leaving the form asks for confirmation only if there are unsaved changes', async () => {
  mockServer(routes)
  const { router } = await renderApp(editImaraAddress)
  await waitForImara()
  type('Title optional', 'Owner')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(field('Title optional').value).toBe('Owner')
  fireEvent.keyDown(field('Title optional'), { key: 'Escape' })
  fireEvent.click(await screen.findByRole('button', { name: 'Discard changes' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/contacts/${imara.id}`))

  await router.navigate({ to: '/crm/contacts/edit/$id', params: { id: imara.id } })
  await waitForImara()
  expect(field('Title optional').value).toBe(imara.title)
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/contacts/${imara.id}`))
})

test('after a failed save, the typed text stays in the form', async () => {
  mockServer({ ...routes, [update]: () => problemResponse('internal') })
  await renderApp(editImaraAddress)
  await waitForImara()
  type('Title optional', 'Owner')
  save()
  const toast = await screen.findByRole('alert')
  // the title “Error”, then the message
  expect(toast.textContent).toBe('ErrorSomething went wrong on our side. Nothing was changed.')
  expect(field('Title optional').value).toBe('Owner')
})

test('text typed during a save stays in the form and is sent with the next save', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const server = mockServer({ ...routes, [update]: () => promise })
  const { router } = await renderApp(editImaraAddress)
  await waitForImara()
  type('Title optional', 'Owner')
  save()
  await waitFor(() => expect(server.requestsTo(update)).toHaveLength(1))
  type('Department optional', 'Front desk')
  resolve(changeResponse('c-1', { ...imara, title: 'Owner', version: 4 }))
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  expect(router.state.location.pathname).toBe(editImaraAddress)
  expect(field('Department optional').value).toBe('Front desk')
  server.setHandlers({ [update]: changeResponse('c-2', { ...imara, title: 'Owner', department: 'Front desk', version: 5 }) })
  save()
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/contacts/${imara.id}`))
  expect(server.requestsTo(update)[1]?.body).toEqual({ department: 'Front desk', version: 4 })
})

test('text typed while a new contact is being saved is kept in the edit form, which then opens', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const server = mockServer({ ...routes, [create]: () => promise, 'GET /api/contacts/{id}': sunniva })
  const { router } = await renderApp('/crm/contacts/new')
  await screen.findByRole('textbox', { name: 'First name' })
  type('First name', 'Sunniva')
  type('Last name', 'Thackerly')
  save()
  await waitFor(() => expect(server.requestsTo(create)).toHaveLength(1))
  type('Company optional', 'Tidewick')
  resolve(changeResponse('c-1', sunniva, 201))
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/contacts/edit/${sunniva.id}`))
  expect(await screen.findByDisplayValue('Tidewick')).toBeTruthy()
  server.setHandlers({ [update]: changeResponse('c-2', { ...sunniva, company: 'Tidewick', version: 4 }) })
  save()
  await waitFor(() => expect(server.requestsTo(update)[0]?.body).toEqual({ company: 'Tidewick', version: sunniva.version }))
  expect(server.requestsTo(create)).toHaveLength(1)
})

test('after a reload, the form shows the typed text again, and Start over discards it', async () => {
  mockServer(routes)
  await renderApp('/crm/contacts/new')
  await screen.findByRole('textbox', { name: 'First name' })
  type('First name', 'Perpetua')
  cleanup()
  await renderApp('/crm/contacts/new')
  expect(await screen.findByDisplayValue('Perpetua')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Start over' }))
  expect(field('First name').value).toBe('')
  expect(screen.queryByText(/What you typed before is back/)).toBeNull()
})

test('after the session has expired, saving opens a password dialog over the form and then saves', async () => {
  let hasSignedIn = false
  const server = mockServer({
    ...routes,
    [update]: () => (hasSignedIn ? changeResponse('c-1', imara) : problemResponse('not_signed_in')),
    'POST /api/session': () => {
      hasSignedIn = true
      return { ...nora, token: 'the browser does not store this token' }
    },
  })
  await renderApp(editImaraAddress)
  await waitForImara()
  type('Title optional', 'Owner')
  save()
  const dialog = await screen.findByRole('dialog', { name: 'Please sign in again' })
  fireEvent.change(within(dialog).getByLabelText('Password'), { target: { value: 'a password' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  expect(server.requestsTo(update)).toHaveLength(2)
  expect(server.requestsTo(update)[1]?.body).toEqual({ title: 'Owner', version: 3 })
})

test('Ctrl+Enter while the form is saved sends nothing a second time', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const server = mockServer({ ...routes, [update]: () => promise })
  await renderApp(editImaraAddress)
  await waitForImara()
  type('Title optional', 'Owner')
  const pressSave = (): boolean => fireEvent.keyDown(field('Title optional'), { key: 'Enter', ctrlKey: true })
  pressSave()
  await waitFor(() => expect(server.requestsTo(update)).toHaveLength(1))
  pressSave()
  resolve(changeResponse('c-1', { ...imara, title: 'Owner', version: 4 }))
  expect(await screen.findByText('Contact updated')).toBeTruthy()
  expect(server.requestsTo(update)).toHaveLength(1)
})

test('“Restore and save” restores a deleted contact even if the user has typed the old value again', async () => {
  const server = mockServer({
    ...routes,
    [update]: () => problemResponse('not_found'),
    [restore]: () => changeResponse('c-1', makeChangeSet({ count: 1 })),
  })
  const { router } = await renderApp(editImaraAddress)
  await waitForImara()
  type('Title optional', 'Owner')
  save()
  const restoreButton = await screen.findByRole('button', { name: 'Restore and save' })
  type('Title optional', imara.title)
  fireEvent.click(restoreButton)
  await waitFor(() => expect(router.state.location.pathname).toBe(`/crm/contacts/${imara.id}`))
  expect(server.requestsTo(restore).map(({ params }) => params['id'])).toEqual([imara.id])
  expect(await screen.findByText('Restored')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
})

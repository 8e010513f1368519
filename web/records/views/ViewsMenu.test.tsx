import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { View } from '#contract/views.ts'
import { bastian, setElementSize, imara, makePage } from '#web/contacts/testing.ts'
import { changeResponse, nora, problemResponse, renderApp, mockServer, setWindowWidth } from '#web/testing.ts'

/** A saved view of the contacts in cities with "Lon" in their name, sorted by name. */
const londoners: View = {
  id: '01930000-0000-7000-8000-0000000000a5',
  list: 'contacts',
  name: 'Londoners',
  address: `filter=${encodeURIComponent('[{"field":"mailing_city","has":"Lon"}]')}&sort=name`,
  created_at: imara.created_at,
  updated_at: imara.created_at,
  version: 1,
}
const routes = {
  'GET /api/session': nora,
  'GET /api/contacts': makePage([imara, bastian]),
  'GET /api/contacts/count': { count: 2, more: false },
  'GET /api/views': { rows: [] },
}
const updateRoute = 'PATCH /api/views/{id}'
const clickButton = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }))
const clickMenuItem = async (name: string): Promise<void> => void fireEvent.click(await screen.findByRole('menuitem', { name }))
const typeName = (text: string): void => void fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: text } })
const waitForRows = () => screen.findByRole('link', { name: 'Imara Vantongeren' })

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})

test('the filter and the sort of a list are saved as a named view, which can be opened and deleted', async () => {
  const server = mockServer({
    ...routes,
    'POST /api/views': changeResponse('c-1', londoners, 201),
    'DELETE /api/views/{id}': changeResponse('c-2'),
  })
  const { router } = await renderApp(`/crm/contacts?${londoners.address}`)
  await waitForRows()
  clickButton('Save view')
  fireEvent.submit((await screen.findByRole('textbox', { name: 'Name' })).closest('form') ?? document.body)
  expect(await screen.findByText('Enter a name')).toBeTruthy()
  expect(screen.getByText('Search, filters, sort and columns are kept. A view of the same name is replaced.')).toBeTruthy()
  typeName(' Londoners ')
  server.setHandlers({ 'GET /api/views': { rows: [londoners] } })
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Save view' }))
  expect(await screen.findByText('View saved')).toBeTruthy()
  const [saveRequest] = server.requestsTo('POST /api/views')
  expect(saveRequest?.body).toMatchObject({ list: 'contacts', name: 'Londoners' })
  expect(await screen.findByRole('button', { name: 'View: Londoners' })).toBeTruthy()
  clickButton('View: Londoners')
  fireEvent.click(await screen.findByRole('menuitemradio', { name: 'All contacts' }))
  await waitFor(() => expect(router.state.location.search).toEqual({}))
  clickButton('Views')
  fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Londoners' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ filter: [{ field: 'mailing_city', has: 'Lon' }], sort: 'name' }))
  clickButton('View: Londoners')
  server.setHandlers({ 'GET /api/views': { rows: [] } })
  await clickMenuItem('Delete this view')
  expect(await screen.findByText('View deleted')).toBeTruthy()
  expect(server.requestsTo('DELETE /api/views/{id}')[0]?.params).toEqual({ id: londoners.id })
})

test('a view is renamed, and the name of another view is refused with an error', async () => {
  const server = mockServer({
    ...routes,
    'GET /api/views': { rows: [londoners] },
    [updateRoute]: () => problemResponse('invalid', { fields: { name: 'Another view has this name. Choose a different one.' } }),
  })
  await renderApp(`/crm/contacts?${londoners.address}`)
  await waitForRows()
  fireEvent.click(await screen.findByRole('button', { name: 'View: Londoners' }))
  await clickMenuItem('Rename this view')
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })
  expect(field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)).toBe('Londoners')
  typeName(' Ours ')
  const dialog = within(screen.getByRole('dialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'Rename view' }))
  expect(await dialog.findByText('Another view has this name. Choose a different one.')).toBeTruthy()
  const renamedView = { ...londoners, name: 'Ours', version: 2 }
  server.setHandlers({ [updateRoute]: changeResponse('c-1', renamedView), 'GET /api/views': { rows: [renamedView] } })
  fireEvent.click(dialog.getByRole('button', { name: 'Rename view' }))
  expect(await screen.findByText('View renamed')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'View: Ours' })).toBeTruthy()
  expect(server.requestsTo(updateRoute).at(-1)).toMatchObject({ params: { id: londoners.id }, body: { name: 'Ours' } })
})

test('the menu can update an open view whose settings the user has changed; after the user has opened the list without settings, no view is open', async () => {
  const updatedView = { ...londoners, address: londoners.address.replace('name', 'email'), version: 2 }
  const server = mockServer({ ...routes, 'GET /api/views': { rows: [londoners] }, [updateRoute]: changeResponse('c-1', updatedView) })
  const { router } = await renderApp(`/crm/contacts?${londoners.address}`)
  await waitForRows()
  await screen.findByRole('button', { name: 'View: Londoners' })
  await router.navigate({ to: '.', search: { filter: [{ field: 'mailing_city', has: 'Lon' }], sort: 'email' } })
  const edited = await screen.findByRole('button', { name: 'View: Londoners, edited' })
  expect(within(edited).getByText('edited')).toBeTruthy()
  fireEvent.click(edited)
  expect(await screen.findByRole('menuitem', { name: 'Save as new view' })).toBeTruthy()
  server.setHandlers({ 'GET /api/views': { rows: [updatedView] } })
  await clickMenuItem('Update “Londoners”')
  expect(await screen.findByText('View updated')).toBeTruthy()
  expect(server.requestsTo(updateRoute)[0]?.body).toEqual({ address: updatedView.address })
  await screen.findByRole('button', { name: 'View: Londoners' })
  await router.navigate({ to: '.', search: {} }) // without settings
  await router.navigate({ to: '.', search: { sort: 'company' } })
  await waitFor(() => clickButton('Views'))
  expect(await screen.findByRole('menuitem', { name: 'Save view' })).toBeTruthy()
  expect(screen.queryByRole('menuitem', { name: /Update/ })).toBeNull()
})

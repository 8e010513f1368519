import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { barRefit, changeId, setElementSize, mockServerWith, waitingRoom } from '#web/deals/testing.ts'
import { changeResponse, nora, problemResponse, renderApp } from '#web/testing.ts'

beforeEach(setElementSize)

const press = (key: string): boolean => fireEvent.keyDown(document.activeElement ?? document.body, { key })
const getCard = (title: string): HTMLElement => screen.getByRole('link', { name: new RegExp(`^${title}`) })
/** Waits until the dialog `name` is open and its title field has the focus. Returns this field. */
const findTitle = async (name: string): Promise<HTMLElement> => {
  const title = await screen.findByRole('textbox', { name: 'Title' })
  expect(screen.getByRole('dialog', { name }).contains(title)).toBe(true)
  await waitFor(() => expect(document.activeElement).toBe(title))
  return title
}
const waitForClosedDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

test('Escape closes a dialog that the key E has opened, and returns the focus to the card of the deal', async () => {
  mockServerWith(waitingRoom, barRefit)
  await renderApp('/crm/deals')
  const barRefitCard = await screen.findByRole('link', { name: /^Bar refit/ })
  act(() => barRefitCard.focus())
  press('e')
  await findTitle('Edit deal')
  press('Escape')
  await waitForClosedDialog()
  await waitFor(() => expect(document.activeElement).toBe(getCard('Bar refit')))
})

test('saving closes the dialog and returns the focus to the row of the record', async () => {
  mockServerWith(waitingRoom, barRefit)
  await renderApp('/crm/deals?as=list') // without `as`, the page shows a board with cards
  await screen.findByRole('link', { name: 'Bar refit' })
  // the key J moves the focus to the next row, here to the second one
  fireEvent.keyDown(document.body, { key: 'j' })
  fireEvent.keyDown(document.body, { key: 'j' })
  const row = screen.getByRole('link', { name: 'Bar refit' }).closest('tr')
  await waitFor(() => expect(document.activeElement).toBe(row))
  press('e')
  fireEvent.change(await findTitle('Edit deal'), { target: { value: 'Bar and kitchen' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save deal' }))
  await waitForClosedDialog()
  const savedRow = (await screen.findByRole('link', { name: 'Bar and kitchen' })).closest('tr')
  await waitFor(() => expect(document.activeElement).toBe(savedRow))
})

test('closing the dialog returns the focus to the panel, and closing the panel returns it to the card', async () => {
  mockServerWith(waitingRoom, barRefit)
  const { router } = await renderApp('/crm/deals')
  const barRefitCard = await screen.findByRole('link', { name: /^Bar refit/ })
  act(() => barRefitCard.focus())
  fireEvent.click(barRefitCard)
  const panel = await screen.findByRole('complementary', { name: 'Deal' })
  await waitFor(() => expect(document.activeElement).toBe(panel))
  press('e')
  await findTitle('Edit deal')
  press('Escape')
  await waitForClosedDialog()
  await waitFor(() => expect(document.activeElement).toBe(panel))
  press('Escape')
  await waitFor(() => expect(router.state.location.pathname).toBe('/crm/deals'))
  await waitFor(() => expect(document.activeElement).toBe(getCard('Bar refit')))
})

test('cancelling a new record returns the focus to the button that opened the dialog', async () => {
  mockServerWith(waitingRoom)
  await renderApp('/crm/deals')
  const add = await screen.findByRole('link', { name: 'Add deal' })
  act(() => add.focus())
  fireEvent.click(add)
  await findTitle('Add deal')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitForClosedDialog()
  await waitFor(() => expect(document.activeElement).toBe(add))
})

test('Back from the dialog of a deal to the dialog of another deal shows and saves the other deal', async () => {
  const server = mockServerWith(waitingRoom, barRefit)
  const { router } = await renderApp(`/crm/deals/${waitingRoom.id}/edit`)
  await screen.findByDisplayValue('Waiting room')
  await act(() => router.navigate({ to: '/crm/deals/$id', params: { id: barRefit.id } }))
  await waitForClosedDialog()
  await act(() => router.navigate({ to: '/crm/deals/$id/edit', params: { id: barRefit.id } }))
  await screen.findByDisplayValue('Bar refit')
  act(() => router.history.go(-2))
  fireEvent.change(await screen.findByDisplayValue('Waiting room'), { target: { value: 'Waiting area' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save deal' }))
  await waitForClosedDialog()
  const updates = server.requestsTo('PATCH /api/deals/{id}').map(({ params, body }) => ({ ...params, body }))
  expect(updates).toEqual([{ id: waitingRoom.id, body: { title: 'Waiting area', version: waitingRoom.version } }])
})

test('Escape in the dialog that asks for the password keeps the changes of the dialog below it', async () => {
  const update = 'PATCH /api/deals/{id}'
  const server = mockServerWith(waitingRoom)
  server.setHandlers({
    [update]: () => problemResponse('not_signed_in'),
    'POST /api/session': () => {
      server.setHandlers({ [update]: changeResponse(changeId, { ...waitingRoom, title: 'Waiting area', version: 4 }) })
      return { ...nora, token: '' }
    },
  })
  await renderApp(`/crm/deals/${waitingRoom.id}/edit`)
  fireEvent.change(await findTitle('Edit deal'), { target: { value: 'Waiting area' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save deal' }))
  const passwordDialog = within(await screen.findByRole('dialog', { name: 'Please sign in again' }))
  const password = passwordDialog.getByLabelText('Password')
  await act(async () => void fireEvent.keyDown(password, { key: 'Escape' }))
  expect(screen.queryByRole('dialog', { name: 'Leave without saving?' })).toBeNull()
  fireEvent.change(password, { target: { value: 'a password' } })
  fireEvent.click(passwordDialog.getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByText('Deal updated')).toBeTruthy()
  await waitForClosedDialog()
})

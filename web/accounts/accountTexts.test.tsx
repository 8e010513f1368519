// The notifications and the warnings of the account page.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeChangeSet } from '#web/contacts/testing.ts'
import { changeResponse, nora, problemResponse, renderApp, mockServer } from '#web/testing.ts'

const at = '2026-11-20T09:00:00.000Z'
const makeDevice = (number: number) => ({
  id: `01930000-0000-7000-8000-0000000000f${number}`,
  created_at: at,
  last_seen_at: at,
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0',
  current: number === 1,
})
const change = { ...makeChangeSet({ count: 1 }), label: 'Undone' }
const routes = {
  'GET /api/session': nora,
  'GET /api/sessions': { rows: [makeDevice(1), makeDevice(2), makeDevice(3)] },
  'GET /api/instance': { sign_up_open: true, sends_mail: true },
}
const type = (field: HTMLElement, value: string): void => void fireEvent.change(field, { target: { value } })
const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }))
const findSection = async (name: string) => within(await screen.findByRole('region', { name }))

test('the undo of a saved profile shows the old name again', async () => {
  const renamed = { ...nora.profile, full_name: 'Nora Larkfield', version: 2 }
  const server = mockServer({
    ...routes,
    'PATCH /api/profile': () => {
      server.setHandlers({ 'GET /api/session': { ...nora, profile: renamed } })
      return changeResponse('c-1', renamed)
    },
    'POST /api/changes/{id}/undo': () => {
      server.setHandlers({ 'GET /api/session': { ...nora, profile: { ...nora.profile, version: 3 } } })
      return changeResponse('c-2', change)
    },
  })
  await renderApp('/account')
  const name = await screen.findByLabelText<HTMLInputElement>('Full name')
  type(name, 'Nora Larkfield')
  press('Save changes')
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone: Account updated')).toBeTruthy()
  await waitFor(() => expect(name.value).toBe(nora.profile.full_name))
})

test('when one field has a conflict, the page says that everything else is safe', async () => {
  const fields = [{ field: 'full_name', yours: 'Nora of the oaks', theirs: 'Nora of the ashes' }]
  const conflict = { version: 5, actor: `user:${nora.user.id}`, actor_name: null, at, fields }
  mockServer({ ...routes, 'PATCH /api/profile': () => problemResponse('conflict', { conflict }) })
  await renderApp('/account')
  type(await screen.findByLabelText('Full name'), 'Nora of the oaks')
  press('Save changes')
  expect(await screen.findByText('Full name was changed somewhere else while you were editing')).toBeTruthy()
  expect(screen.getByText('Everything else you typed is safe. Choose which one to keep, then save again.')).toBeTruthy()
})

test('a toast explains the consequence of a changed email or password', async () => {
  mockServer({
    ...routes,
    'POST /api/account/email': { ...nora.user, email: 'nora@oakmoor.example' },
    'POST /api/account/password': undefined,
  })
  await renderApp('/account')
  const email = await findSection('Email')
  type(email.getByLabelText('New email'), 'nora@oakmoor.example')
  type(email.getByLabelText('Current password'), 'oak and ash')
  press('Change email')
  expect(await screen.findByText('Email changed')).toBeTruthy()
  expect(screen.getByText('You now sign in with nora@oakmoor.example.')).toBeTruthy()
  const password = await findSection('Password')
  type(password.getByLabelText('Current password'), 'oak and ash')
  type(password.getByLabelText('New password'), 'ash and oak')
  press('Change password')
  expect(await screen.findByText('Password changed')).toBeTruthy()
  expect(screen.getByText('Every other device has been signed out.')).toBeTruthy()
})

test('when the current password is wrong, the section Password shows an error', async () => {
  const fields = { current_password: 'That is not your current password.' }
  mockServer({ ...routes, 'POST /api/account/password': () => problemResponse('wrong_password', { fields }) })
  await renderApp('/account')
  const password = await findSection('Password')
  type(password.getByLabelText('Current password'), 'not this one')
  type(password.getByLabelText('New password'), 'ash and oak')
  press('Change password')
  expect(await password.findByText('That is not your current password.')).toBeTruthy()
})

test('all other devices can be signed out together', async () => {
  const server = mockServer({ ...routes, 'DELETE /api/sessions': undefined })
  await renderApp('/account')
  const devices = await findSection('Devices')
  fireEvent.click(await devices.findByRole('button', { name: 'Sign out everywhere else' }))
  expect(await screen.findByText('Every other device has been signed out')).toBeTruthy()
  expect(server.requestsTo('DELETE /api/sessions')).toHaveLength(1)
})

test('the dialog lists what is deleted with the account', async () => {
  mockServer(routes)
  await renderApp('/account')
  fireEvent.click(await screen.findByRole('button', { name: 'Delete account' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }))
  expect(dialog.getByText('Nothing of this can be brought back:')).toBeTruthy()
  const losses = dialog.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(losses).toEqual(
    expect.arrayContaining(['every contact, with its history', 'everything in the trash', 'your name, email and password']),
  )
})

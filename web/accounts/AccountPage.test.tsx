import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { StorageUse } from '#contract/storage.ts'
import { noAiHandlers } from '#web/ai/testing.ts'
import { changeResponse, nora, problemResponse, renderApp, mockServer } from '#web/testing.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1'
const at = '2026-11-20T09:00:00.000Z'
const thisDevice = { id: nora.session_id, created_at: at, last_seen_at: at, user_agent: firefox, current: true }
const otherDevice = { ...thisDevice, id: '01930000-0000-7000-8000-0000000000f2', user_agent: iphone, current: false }
const gigabyte = 1024 ** 3
const emptyStorage = { used_bytes: 0, quota_bytes: 10 * gigabyte, file_count: 0, trash_bytes: 0, upload_bytes: 0, groups: [] }
/** The space of an account whose records use `recordGigabytes` of 2 GB. */
const storageWith = (recordGigabytes: number): StorageUse => ({
  ...emptyStorage,
  record_bytes: recordGigabytes * gigabyte,
  record_quota_bytes: 2 * gigabyte,
})
const routes = {
  'GET /api/storage': storageWith(1),
  'GET /api/session': nora,
  ...noAiHandlers,
  'GET /api/sessions': { rows: [thisDevice, otherDevice] },
  'GET /api/instance': { sign_up_open: true, sends_mail: true },
}
const wrongPassword = { fields: { password: 'That is not your current password.' } }
const type = (field: HTMLElement, value: string): void => void fireEvent.change(field, { target: { value } })
const findSection = async (name: string) => within(await screen.findByRole('region', { name }))

test('saving the profile sends only the changed fields and the version, and can be undone', async () => {
  const saved = { ...nora.profile, full_name: 'Nora Larkfield', version: 2 }
  const server = mockServer({ ...routes, 'PATCH /api/profile': () => changeResponse('c-1', saved) })
  await renderApp('/account')
  const save = await screen.findByRole<HTMLButtonElement>('button', { name: 'Save changes' })
  expect(save.disabled).toBe(true)
  type(screen.getByLabelText('Full name'), 'Nora Larkfield')
  fireEvent.click(save)
  expect(await screen.findByText('Account updated')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  expect(server.requestsTo('PATCH /api/profile')[0]?.body).toEqual({ full_name: 'Nora Larkfield', version: 1 })
  await waitFor(() => expect(save.disabled).toBe(true))
  expect(await screen.findByRole('link', { name: 'Nora Larkfield' })).toBeTruthy()
})

test('time zone, country and currency can be searched by typing', async () => {
  const server = mockServer({
    ...routes,
    'PATCH /api/profile': ({ body }) => changeResponse('c-1', { ...nora.profile, ...Object(body), version: 2 }),
  })
  await renderApp('/account')
  const choose = async (label: string, search: string, option: RegExp): Promise<void> => {
    const field = await screen.findByRole('combobox', { name: label })
    act(() => field.focus())
    type(field, search)
    fireEvent.click(await screen.findByRole('option', { name: option }))
  }
  expect((await screen.findByRole<HTMLInputElement>('combobox', { name: 'Country' })).value).toBe('United Kingdom')
  await choose('Time zone', 'berl', /^Europe\/Berlin \(GMT\+[12]\)$/)
  await choose('Country', 'germ', /^Germany$/)
  await choose('Currency', 'euro', /^EUR - Euro$/)
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  await screen.findByText('Account updated')
  expect(server.requestsTo('PATCH /api/profile')[0]?.body).toEqual({
    timezone: 'Europe/Berlin',
    country: 'DE',
    currency: 'EUR',
    version: 1,
  })
})

test('a button confirms the time zone and the currency that were guessed at sign-up', async () => {
  const confirmed = { ...nora.profile, region_confirmed: true, version: 2 }
  const server = mockServer({ ...routes, 'PATCH /api/profile': () => changeResponse('c-1', confirmed) })
  await renderApp('/account')
  fireEvent.click(await screen.findByRole('button', { name: 'Time zone and currency are right' }))
  expect(await screen.findByText('Account updated')).toBeTruthy()
  expect(server.requestsTo('PATCH /api/profile')[0]?.body).toEqual({ region_confirmed: true })
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Time zone and currency are right' })).toBeNull())
})

test('hidden first steps can be shown again', async () => {
  const hidden = { ...nora.profile, first_steps_hidden: true }
  const server = mockServer({ ...routes, 'GET /api/session': { ...nora, profile: hidden } })
  server.setHandlers({ 'PATCH /api/profile': () => changeResponse('c-1', { ...nora.profile, version: 2 }) })
  await renderApp('/account')
  const checkbox = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Show first steps' })
  expect(checkbox.checked).toBe(false)
  fireEvent.click(checkbox)
  expect(await screen.findByText('First steps shown')).toBeTruthy()
  expect(server.requestsTo('PATCH /api/profile')[0]?.body).toEqual({ first_steps_hidden: false })
  await waitFor(() => expect(checkbox.checked).toBe(true))
})

test('an empty name is not sent', async () => {
  const server = mockServer(routes)
  await renderApp('/account')
  type(await screen.findByLabelText('Full name'), ' ')
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  expect(await screen.findByText('Enter your full name')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Full name'))
  expect(server.requestsTo('PATCH /api/profile')).toEqual([])
})

const nameConflict = {
  version: 5,
  actor: `user:${nora.user.id}`,
  actor_name: null,
  at,
  fields: [{ field: 'full_name', yours: 'Nora Mine', theirs: 'Nora Theirs' }],
}

test('a conflict shows both values, and the selected value is saved with the newer version', async () => {
  const server = mockServer({ ...routes, 'PATCH /api/profile': () => problemResponse('conflict', { conflict: nameConflict }) })
  await renderApp('/account')
  type(await screen.findByLabelText('Full name'), 'Nora Mine')
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Full name was changed somewhere else while you were editing')
  server.setHandlers({ 'PATCH /api/profile': () => changeResponse('c-2', { ...nora.profile, full_name: 'Nora Mine', version: 6 }) })
  fireEvent.click(screen.getByRole('radio', { name: /Nora Mine/ }))
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  await screen.findByText('Account updated')
  expect(server.requestsTo('PATCH /api/profile')[1]?.body).toEqual({ full_name: 'Nora Mine', version: 5 })
})

test('when the user selects the value of the other change in a conflict, nothing more is sent', async () => {
  const server = mockServer({ ...routes, 'PATCH /api/profile': () => problemResponse('conflict', { conflict: nameConflict }) })
  await renderApp('/account')
  type(await screen.findByLabelText('Full name'), 'Nora Mine')
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  fireEvent.click(await screen.findByRole('radio', { name: /Nora Theirs/ }))
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  expect((await screen.findByLabelText<HTMLInputElement>('Full name')).value).toBe('Nora Theirs')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(server.requestsTo('PATCH /api/profile')).toHaveLength(1)
})

test('text that is typed while a save is running stays in the field and is sent with the next save', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const server = mockServer({ ...routes, 'PATCH /api/profile': () => promise })
  await renderApp('/account')
  const name = await screen.findByLabelText<HTMLInputElement>('Full name')
  type(name, 'Nora L')
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(server.requestsTo('PATCH /api/profile')).toHaveLength(1))
  type(name, 'Nora Larkfield')
  resolve(changeResponse('c-1', { ...nora.profile, full_name: 'Nora L', version: 2 }))
  await screen.findByText('Account updated')
  expect(name.value).toBe('Nora Larkfield')
  server.setHandlers({ 'PATCH /api/profile': changeResponse('c-2', { ...nora.profile, full_name: 'Nora Larkfield', version: 3 }) })
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(server.requestsTo('PATCH /api/profile')[1]?.body).toEqual({ full_name: 'Nora Larkfield', version: 2 }))
})

test('changing the password needs the current password and at least six new characters', async () => {
  const server = mockServer({ ...routes, 'POST /api/account/password': undefined })
  await renderApp('/account')
  const form = await findSection('Password')
  type(form.getByLabelText('New password'), '12345')
  fireEvent.click(form.getByRole('button', { name: 'Change password' }))
  expect(await form.findByText('Enter your password')).toBeTruthy()
  expect(form.getByText('At least 6 characters')).toBeTruthy()
  expect(document.activeElement).toBe(form.getByLabelText('Current password'))
  type(form.getByLabelText('Current password'), 'correct horse')
  type(form.getByLabelText('New password'), 'newer horse')
  fireEvent.click(form.getByRole('button', { name: 'Change password' }))
  expect(await screen.findByText('Password changed')).toBeTruthy()
  expect(server.requestsTo('POST /api/account/password')[0]?.body).toEqual({
    current_password: 'correct horse',
    new_password: 'newer horse',
  })
})

test('devices are listed by name, and another device can be signed out', async () => {
  const server = mockServer({ ...routes, 'DELETE /api/sessions/{id}': undefined, 'DELETE /api/sessions': undefined })
  await renderApp('/account')
  const devices = await findSection('Devices')
  expect(await devices.findByText('Firefox on Linux')).toBeTruthy()
  expect(devices.getByText(/^This device/)).toBeTruthy()
  expect(devices.queryByRole('button', { name: 'Sign out Firefox on Linux' })).toBeNull()
  server.setHandlers({ 'GET /api/sessions': { rows: [thisDevice] } })
  const signOut = devices.getByRole('button', { name: 'Sign out Safari on iPhone' })
  act(() => signOut.focus())
  fireEvent.click(signOut)
  expect(await screen.findByText('Device signed out')).toBeTruthy()
  await waitFor(() => expect(devices.queryByText('Safari on iPhone')).toBeNull())
  expect(document.activeElement?.id).toBe('content')
  expect(server.requestsTo('DELETE /api/sessions/{id}')[0]?.params).toEqual({ id: otherDevice.id })
  expect(devices.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull()
})

test('when the devices cannot be loaded, the user can try again', async () => {
  const server = mockServer({ ...routes, 'GET /api/sessions': () => problemResponse('not_ready') })
  await renderApp('/account')
  const devices = await findSection('Devices')
  expect(await devices.findByText('Devices could not be loaded')).toBeTruthy()
  server.setHandlers({ 'GET /api/sessions': { rows: [thisDevice] } })
  fireEvent.click(devices.getByRole('button', { name: 'Try again' }))
  expect(await devices.findByText('Firefox on Linux')).toBeTruthy()
})

test('when the devices cannot be loaded again after a sign-out, they are still shown, without an error', async () => {
  const server = mockServer({ ...routes, 'DELETE /api/sessions/{id}': undefined })
  await renderApp('/account')
  const devices = await findSection('Devices')
  const signOut = await devices.findByRole('button', { name: 'Sign out Safari on iPhone' })
  server.setHandlers({ 'GET /api/sessions': () => problemResponse('not_ready') })
  fireEvent.click(signOut)
  await screen.findByText('Device signed out')
  await waitFor(() => expect(signOut.dataset['loading']).toBeUndefined()) // the sign-out is pending until the devices are loaded
  expect(devices.getByText('Firefox on Linux')).toBeTruthy()
  expect(devices.queryByText('Devices could not be loaded')).toBeNull()
})

test('deleting the account needs the password and then opens the landing page', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  const server = mockServer({ ...routes, 'POST /api/account/delete': () => problemResponse('wrong_password', wrongPassword) })
  await renderApp('/account')
  fireEvent.click(await screen.findByRole('button', { name: 'Delete account' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }))
  expect(dialog.getByText('every contact, with its history')).toBeTruthy()
  fireEvent.click(dialog.getByRole('button', { name: 'Delete account' }))
  expect(await dialog.findByText('Enter your password')).toBeTruthy()
  type(dialog.getByLabelText('Type your password to go on'), 'wrong horse')
  fireEvent.click(dialog.getByRole('button', { name: 'Delete account' }))
  expect(await dialog.findByText('That is not your current password.')).toBeTruthy()
  expect(document.activeElement).toBe(dialog.getByLabelText('Type your password to go on'))
  expect(assign).not.toHaveBeenCalled()
  server.setHandlers({ 'POST /api/account/delete': undefined })
  type(dialog.getByLabelText('Type your password to go on'), 'correct horse')
  fireEvent.click(dialog.getByRole('button', { name: 'Delete account' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/'))
  expect(server.requestsTo('POST /api/account/delete').at(-1)?.body).toEqual({ password: 'correct horse' })
})

test('downloading everything needs the password, says how large the zip is, and lets the browser download it', async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  const server = mockServer({
    ...routes,
    'GET /api/takeout': { file_count: 500, file_bytes: 1_234_567 },
    'POST /api/takeout': () => problemResponse('wrong_password', wrongPassword),
  })
  await renderApp('/account')
  fireEvent.click((await findSection('Your data')).getByRole('button', { name: 'Download everything' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Download everything?' }))
  expect(await dialog.findByText(/^The zip has your records and 500 files \(1\.2 MB\)\./)).toBeTruthy()
  fireEvent.click(dialog.getByRole('button', { name: 'Download' }))
  expect(await dialog.findByText('Enter your password')).toBeTruthy()
  type(dialog.getByLabelText('Type your password to go on'), 'wrong horse')
  fireEvent.click(dialog.getByRole('button', { name: 'Download' }))
  expect(await dialog.findByText('That is not your current password.')).toBeTruthy()
  expect(document.activeElement).toBe(dialog.getByLabelText('Type your password to go on'))
  const running = 'Your last download of everything is still running.'
  server.setHandlers({ 'POST /api/takeout': () => problemResponse('too_many_requests', { fields: { password: running } }) })
  fireEvent.click(dialog.getByRole('button', { name: 'Download' }))
  expect(await dialog.findByText(running)).toBeTruthy()
  expect(click).not.toHaveBeenCalled()
  server.setHandlers({ 'POST /api/takeout': { url: '/api/takeout/a-token' } })
  type(dialog.getByLabelText('Type your password to go on'), 'correct horse')
  fireEvent.click(dialog.getByRole('button', { name: 'Download' }))
  expect(await screen.findByText('Download started')).toBeTruthy()
  const [link] = click.mock.contexts
  expect(link instanceof HTMLAnchorElement && link.getAttribute('href')).toBe('/api/takeout/a-token')
  expect(server.requestsTo('POST /api/takeout').at(-1)?.body).toEqual({ password: 'correct horse' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('the history is erased after a confirmation that says what is lost', async () => {
  const server = mockServer({ ...routes, 'DELETE /api/changes': () => problemResponse('internal') })
  await renderApp('/account')
  const section = await findSection('History')
  expect(section.getByText('Every change is kept for 30 days, so that you can undo it and restore what you deleted.')).toBeTruthy()
  fireEvent.click(section.getByRole('button', { name: 'Erase history' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Erase your history?' }))
  expect(dialog.getByText('what you did until now can no longer be undone')).toBeTruthy()
  expect(dialog.getByText('everything in the trash')).toBeTruthy()
  expect(server.requestsTo('DELETE /api/changes')).toEqual([])
  fireEvent.click(dialog.getByRole('button', { name: 'Erase history' }))
  expect(await screen.findByText('Something went wrong on our side. Nothing was changed.')).toBeTruthy()
  server.setHandlers({ 'DELETE /api/changes': undefined })
  fireEvent.click(dialog.getByRole('button', { name: 'Erase history' }))
  expect(await screen.findByText('Erasing the history')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test.each([
  [1.5, undefined],
  [1.75, 'Your records and their history use 1.8 GB of 2.0 GB. When it is full, nothing can be added.'],
  [2.25, 'Your records and their history use 2.3 GB of 2.0 GB. Nothing can be added until there is space.'],
])('when the records use %d GB of 2 GB, the section History says: %s (nothing below 80 percent)', async (recordGigabytes, text) => {
  mockServer({ ...routes, 'GET /api/storage': storageWith(recordGigabytes) })
  await renderApp('/account')
  const section = await findSection('History')
  if (text) expect(await section.findByText(text)).toBeTruthy()
  else expect(section.queryByText(/of 2\.0 GB/)).toBeNull()
})

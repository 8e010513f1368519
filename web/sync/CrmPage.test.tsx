import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { CrmConnection, CrmSync } from '#contract/crmConnections.ts'
import { makeChangeSet } from '#web/contacts/testing.ts'
import { changeResponse, mockServer, nora, problemResponse, renderApp } from '#web/testing.ts'

const done: CrmSync = {
  id: '01930000-0000-7000-8000-000000000901',
  status: 'done',
  scope: 'full',
  started_at: '2026-11-23T10:00:00.000Z',
  finished_at: '2026-11-23T10:01:00.000Z',
  change: '01930000-0000-7000-8000-000000000902',
  created: 1200,
  updated: 3,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  missing: 0,
  problem: null,
  reasons: [],
  missing_contacts: [],
}
const running: CrmSync = { ...done, status: 'running', finished_at: null, created: 500, updated: 0 }
const connection: CrmConnection = {
  id: '01930000-0000-7000-8000-000000000903',
  crm_type: 'insightly',
  api_url: 'https://api.insightly.com/v3.1',
  key_state: 'stored',
  key_end: '4711',
  created_at: '2026-11-23T09:00:00.000Z',
  last_synced_at: null,
  contacts: 0,
  last_sync: null,
}
const synced = { ...connection, last_synced_at: done.finished_at, contacts: 1203, last_sync: done }
const mock = (rows: CrmConnection[], handlers: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({ 'GET /api/session': nora, 'GET /api/crm-connections': { rows }, ...handlers })
const open = async () => {
  await renderApp('/crm')
  return screen.findByRole('region', { name: 'Connections' })
}
const click = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }))

test('without a connection the page says what it is for, and the form has the default address', async () => {
  const server = mock([])
  await open()
  expect(await screen.findByText(/No CRM is connected yet/)).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('API URL').value).toBe('https://api.insightly.com/v3.1')
  expect(screen.getByLabelText<HTMLInputElement>('API Key').type).toBe('password')
  click('Add connection')
  expect(await screen.findByText('Enter the API key')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('API Key'))
  expect(server.requestsTo('POST /api/crm-connections')).toEqual([])
})

test('a refused key shows an error at its field and stays there; an accepted key is cleared', async () => {
  const fields = { api_key: 'Insightly refused the API key. Copy it again from your user settings there.' }
  const server = mock([], { 'POST /api/crm-connections': problemResponse('invalid', { fields }) })
  await open()
  const key = await screen.findByLabelText<HTMLInputElement>('API Key')
  fireEvent.change(key, { target: { value: 'a-key' } })
  click('Add connection')
  expect(await screen.findByText(fields.api_key)).toBeTruthy()
  expect(key.value).toBe('a-key')
  server.setHandlers({
    'POST /api/crm-connections': changeResponse(done.change, connection, 201),
    'GET /api/crm-connections': { rows: [connection] },
  })
  click('Add connection')
  expect(await screen.findByText('CRM connection added')).toBeTruthy()
  expect(key.value).toBe('')
  expect(server.requestsTo('POST /api/crm-connections').at(-1)?.body).toEqual({
    api_url: 'https://api.insightly.com/v3.1',
    api_key: 'a-key',
  })
  expect(await screen.findByText('never synced')).toBeTruthy()
})

test('a sync shows its progress, and a toast shows its result', async () => {
  const server = mock([connection])
  const region = within(await open())
  await region.findByText('key ends in 4711')
  server.setHandlers({
    'POST /functions/v1/sync-crm': running,
    'GET /api/crm-connections': { rows: [{ ...connection, last_sync: running }] },
  })
  click('Sync with api.insightly.com')
  expect(await region.findByText('Syncing all contacts…')).toBeTruthy()
  expect(region.getByText('500')).toBeTruthy()
  expect(server.requestsTo('POST /functions/v1/sync-crm')[0]?.body).toEqual({ connectionId: connection.id, full: false })
  server.setHandlers({ 'GET /api/crm-connections': { rows: [synced] } })
  expect(await screen.findByText('CRM data synced')).toBeTruthy()
  expect(screen.getByText('1,200 created, 3 updated')).toBeTruthy()
  expect(region.getByText('1,203 contacts')).toBeTruthy()
})

test('the result lists the contacts that were skipped or failed, and those that were deleted in Insightly', async () => {
  const reasons = [{ external_id: '7', name: 'Ada', reason: 'It has no name.' }]
  const missing_contacts = [{ id: '01930000-0000-7000-8000-000000000904', name: 'Grace Hopper' }]
  mock([{ ...synced, last_sync: { ...done, skipped: 1, failed: 2, reasons, missing: 4, missing_contacts } }])
  const region = within(await open())
  expect(await region.findByText('3 contacts skipped or failed: why')).toBeTruthy()
  expect(region.getByText('And 2 more.')).toBeTruthy()
  expect(region.getByText('4 contacts no longer in Insightly')).toBeTruthy()
  expect(region.getByText('Grace Hopper').getAttribute('href')).toBe(`/crm/contacts/${missing_contacts[0]?.id}`)
  expect(region.getByText('And 3 more.')).toBeTruthy()
})

test('an earlier sync that wrote contacts can be undone', async () => {
  const stopped: CrmSync = { ...done, id: done.id.replace('901', '905'), status: 'stopped', created: 0, updated: 0 }
  const { requestsTo } = mock([{ ...synced, last_sync: stopped }], {
    'GET /api/crm-connections/{id}/syncs': { rows: [stopped, { ...stopped, id: done.id.replace('901', '906') }, done] },
    'POST /api/changes/{id}/undo': () => changeResponse(done.id, makeChangeSet({ count: 1203 })),
  })
  const region = within(await open())
  expect(await region.findByText('The sync was stopped')).toBeTruthy()
  expect(region.queryByRole('button', { name: 'Undo this sync' })).toBeNull()
  const details = region.getByText('Earlier syncs').closest('details')
  if (details) details.open = true
  if (details) fireEvent(details, new Event('toggle'))
  expect(await region.findByText(/The sync was stopped\. Nothing was copied\./)).toBeTruthy()
  fireEvent.click(await region.findByRole('button', { name: 'Undo this sync' }))
  expect(await screen.findByText('Undone: CRM data synced')).toBeTruthy()
  expect(requestsTo('POST /api/changes/{id}/undo').map(({ params }) => params['id'])).toEqual([done.change])
})

test('a failed sync shows the reason, and a lost key must be entered again', async () => {
  mock([{ ...connection, key_state: 'lost', key_end: '', last_sync: { ...done, status: 'failed', problem: 'Insightly failed.' } }])
  const region = within(await open())
  expect(await region.findByText('The sync failed: Insightly failed.')).toBeTruthy()
  expect(region.getByText(/Enter it again/)).toBeTruthy()
  expect(region.getByRole('button', { name: /^Sync with/ })).toHaveProperty('disabled', true)
})

test('a key is changed in the card, and the error of a refused key is at its field', async () => {
  const fields = { api_key: 'Insightly refused the API key. Copy it again from your user settings there.' }
  const server = mock([synced], { 'PUT /api/crm-connections/{id}/key': problemResponse('invalid', { fields }) })
  const region = within(await open())
  await region.findByText('key ends in 4711')
  click('Change key')
  const key = region.getByLabelText<HTMLInputElement>('New API Key')
  expect(document.activeElement).toBe(key)
  fireEvent.change(key, { target: { value: 'key-0815' } })
  click('Save key')
  expect(await region.findByText(fields.api_key)).toBeTruthy()
  const changed = { ...synced, key_end: '0815' }
  server.setHandlers({ 'PUT /api/crm-connections/{id}/key': changed, 'GET /api/crm-connections': { rows: [changed] } })
  click('Save key')
  expect(await screen.findByText('API key changed')).toBeTruthy()
  expect(await region.findByText('key ends in 0815')).toBeTruthy()
  expect(region.queryByLabelText('New API Key')).toBeNull()
})

test('the response to a new key whose form was closed does not close the form that is open now', async () => {
  const { promise, resolve } = Promise.withResolvers<object>()
  const server = mock([synced], { 'PUT /api/crm-connections/{id}/key': () => promise })
  const region = within(await open())
  await region.findByText('key ends in 4711')
  click('Change key')
  fireEvent.change(region.getByLabelText('New API Key'), { target: { value: 'key-0815' } })
  click('Save key')
  await waitFor(() => expect(server.requestsTo('PUT /api/crm-connections/{id}/key')).toHaveLength(1))
  click('Cancel')
  click('Change key')
  fireEvent.change(region.getByLabelText('New API Key'), { target: { value: 'key-4712' } })
  resolve({ ...synced, key_end: '0815' })
  expect(await screen.findByText('API key changed')).toBeTruthy()
  expect(region.getByLabelText<HTMLInputElement>('New API Key').value).toBe('key-4712')
})

test('a deleted connection disappears from the list, and the focus is not lost', async () => {
  const server = mock([synced], { 'DELETE /api/crm-connections/{id}': changeResponse(done.change) })
  await open()
  await screen.findByText('1,203 contacts')
  server.setHandlers({ 'GET /api/crm-connections': { rows: [] } })
  const remove = screen.getByRole('button', { name: 'Delete the connection to api.insightly.com' })
  act(() => remove.focus())
  fireEvent.click(remove)
  expect(await screen.findByText('CRM connection deleted')).toBeTruthy()
  await waitFor(() => expect(screen.getByText(/No CRM is connected yet/)).toBeTruthy())
  expect(document.activeElement?.id).toBe('content')
})

test('connections that cannot be loaded can be loaded again', async () => {
  const server = mock([], { 'GET /api/crm-connections': problemResponse('internal') })
  await open()
  expect(await screen.findByText('The connections could not be loaded')).toBeTruthy()
  server.setHandlers({ 'GET /api/crm-connections': { rows: [connection] } })
  click('Try again')
  expect(await screen.findByText('never synced')).toBeTruthy()
})

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ApiKey } from '#contract/apiKeys.ts'
import { queries } from '#web/lib/queries.ts'
import { asksBeforeClose, mockServer, nora, problemResponse, renderApp } from '#web/testing.ts'

const key = `sk_${'0123456789abcdef'.repeat(4)}`
const website: ApiKey = {
  id: '01930000-0000-7000-8000-000000000801',
  name: 'Website',
  key_prefix: 'sk_012345678',
  scopes: ['leads'],
  is_active: true,
  created_at: '2026-11-23T10:00:00.000Z',
  last_used_at: null,
  expires_at: null,
}
const expired: ApiKey = {
  ...website,
  id: '01930000-0000-7000-8000-000000000802',
  name: 'Old script',
  scopes: ['read', 'write'],
  is_active: false,
  last_used_at: '2026-11-22T10:00:00.000Z',
  expires_at: '2026-11-23T09:00:00.000Z',
}
const mock = (rows: ApiKey[], handlers: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({ 'GET /api/session': nora, 'GET /api/api-keys': { rows }, ...handlers })
const click = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }))
const nameField = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })

test('a new key is shown until the user has saved it, also after a visit to another page, and then never again', async () => {
  const server = mock([], {
    'POST /api/api-keys': () => Response.json({ ...website, key }, { status: 201 }),
    'GET /api/trash': { rows: [], next: null },
  })
  const { router } = await renderApp('/api-keys')
  expect(await screen.findByText(/^No API keys yet/)).toBeTruthy()
  fireEvent.change(await nameField(), { target: { value: ' Website ' } })
  server.setHandlers({ 'GET /api/api-keys': { rows: [website] } })
  click('Create API key')
  const card = await screen.findByRole('region', { name: 'Your new API key: Website' })
  expect(document.activeElement).toBe(card)
  expect(asksBeforeClose()).toBe(true)
  await act(() => queries.invalidateQueries()) // as after a lost connection
  expect(within(card).getByText(key)).toBeTruthy()
  // the server trims the name
  expect(server.requestsTo('POST /api/api-keys')[0]?.body).toEqual({ name: ' Website ', scopes: ['leads'], expires_at: null })
  expect((await nameField()).value).toBe('')
  await router.navigate({ to: '/trash' })
  await screen.findByText('The trash is empty')
  expect(screen.queryByText(key)).toBeNull()
  await router.navigate({ to: '/api-keys' })
  await screen.findByText(key)
  click("I've saved this key")
  await waitFor(() => expect(screen.queryByText(key)).toBeNull())
  expect(asksBeforeClose()).toBe(false)
  expect(document.activeElement).toBe(await nameField())
})

test('a page that the palette opened for a new key focuses the name once, and then leaves the focus where the user is', async () => {
  const server = mock([], { 'POST /api/api-keys': () => Response.json({ ...website, key }, { status: 201 }) })
  await renderApp('/api-keys#create')
  await waitFor(async () => expect(document.activeElement).toBe(await nameField()))
  fireEvent.change(await nameField(), { target: { value: 'Website' } })
  click('Create API key')
  const card = await screen.findByRole('region', { name: 'Your new API key: Website' })
  const saved = within(card).getByRole('button', { name: "I've saved this key" })
  saved.focus()
  server.setHandlers({ 'GET /api/api-keys': { rows: [website] } })
  await act(() => queries.invalidateQueries())
  fireEvent.click(screen.getByRole('checkbox', { name: 'Send leads' }))
  expect(document.activeElement).toBe(saved)
})

test('a second key does not replace the first one, which is not saved yet', async () => {
  const server = mock([], { 'POST /api/api-keys': () => Response.json({ ...website, key }, { status: 201 }) })
  await renderApp('/api-keys')
  fireEvent.change(await nameField(), { target: { value: 'Website' } })
  click('Create API key')
  const first = await screen.findByRole('region', { name: 'Your new API key: Website' })
  const shop = { ...website, id: '01930000-0000-7000-8000-0000000009ff', name: 'Shop', key: 'sk_of_the_shop' }
  server.setHandlers({ 'POST /api/api-keys': () => Response.json(shop, { status: 201 }) })
  fireEvent.change(await nameField(), { target: { value: 'Shop' } })
  click('Create API key')
  const second = await screen.findByRole('region', { name: 'Your new API key: Shop' })
  expect(within(first).getByText(key)).toBeTruthy()
  fireEvent.click(within(second).getByRole('button', { name: "I've saved this key" }))
  await waitFor(() => expect(screen.queryByText('sk_of_the_shop')).toBeNull())
  expect(within(first).getByText(key)).toBeTruthy()
  click("I've saved this key")
  await waitFor(() => expect(screen.queryByText(key)).toBeNull())
})

test('a key needs a name and a scope, and after a failure the form keeps what was typed', async () => {
  const server = mock([], { 'POST /api/api-keys': problemResponse('overloaded') })
  await renderApp('/api-keys')
  fireEvent.submit((await nameField()).closest('form') ?? document.body)
  expect(await screen.findByText('Please enter a name for the API key')).toBeTruthy()
  expect(document.activeElement).toBe(await nameField())
  fireEvent.change(await nameField(), { target: { value: 'Script' } })
  fireEvent.click(screen.getByRole('checkbox', { name: 'Send leads' }))
  click('Create API key')
  expect(await screen.findByText('Choose what the key may do')).toBeTruthy()
  for (const name of ['Write', 'Read']) fireEvent.click(screen.getByRole('checkbox', { name }))
  fireEvent.change(screen.getByLabelText('Expires'), { target: { value: '30' } })
  click('Create API key')
  expect(await screen.findByText('Failed to create API key')).toBeTruthy()
  expect((await nameField()).value).toBe('Script')
  const [sent] = server.requestsTo('POST /api/api-keys')
  expect(sent?.body).toEqual({ name: 'Script', scopes: ['read', 'write'], expires_at: expect.stringMatching(/^\d{4}-/) })
})

test('the list shows prefix, scopes and dates; a key is deleted after a confirmation', async () => {
  const server = mock([website, expired], { 'DELETE /api/api-keys/{id}': problemResponse('overloaded') })
  await renderApp('/api-keys')
  const rows = await screen.findAllByRole('listitem')
  const [first, second] = rows.filter((row) => /sk_012345678…/.test(row.textContent ?? '')).map((row) => row.textContent)
  expect(first).toMatch(/^WebsiteActive.*Send leads.*created .*never used/)
  expect(second).toMatch(/^Old scriptExpired.*Read, Write.*last used .*expired /)
  const remove = screen.getByRole('button', { name: 'Delete Website' })
  act(() => remove.focus())
  fireEvent.click(remove)
  const dialog = await screen.findByRole('dialog', { name: 'Delete API key?' })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete API key' }))
  expect(await screen.findByText('Failed to delete API key')).toBeTruthy()
  server.setHandlers({ 'DELETE /api/api-keys/{id}': undefined, 'GET /api/api-keys': { rows: [expired] } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete API key' }))
  expect(await screen.findByText('API key deleted')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete Website' })).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete Old script' })))
})

test('the instructions have the command of the leads function, and a failed list can be loaded again', async () => {
  const server = mock([], { 'GET /api/api-keys': problemResponse('overloaded') })
  await renderApp('/api-keys')
  expect(await screen.findByText('Failed to fetch API keys')).toBeTruthy()
  const usage = screen.getByRole('region', { name: 'How to use an API key' })
  for (const part of ['curl -X POST', '/functions/v1/leads', 'x-api-key: YOUR_API_KEY', 'jane@example.com'])
    expect(usage.textContent).toContain(part)
  server.setHandlers({ 'GET /api/api-keys': { rows: [website] } })
  click('Try again')
  expect(await screen.findByText('sk_012345678…')).toBeTruthy()
})

test('the address that the palette opens for a new key focuses the name', async () => {
  mock([])
  await renderApp('/api-keys#create')
  const field = await nameField()
  await waitFor(() => expect(document.activeElement).toBe(field))
})

test('the response to a delete whose dialog was closed does not close the next dialog', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const server = mock([website, expired], { 'DELETE /api/api-keys/{id}': () => promise })
  await renderApp('/api-keys')
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Website' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Delete API key' }))
  await waitFor(() => expect(server.requestsTo('DELETE /api/api-keys/{id}')).toHaveLength(1))
  click('Cancel')
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Old script' }))
  await screen.findByText('Old script', { selector: '[role=dialog] *' })
  resolve(undefined)
  expect(await screen.findByText('API key deleted')).toBeTruthy()
  expect(screen.getByText('Old script', { selector: '[role=dialog] *' })).toBeTruthy()
})

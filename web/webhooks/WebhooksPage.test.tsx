import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { WebhookDelivery, WebhookEndpoint } from '#contract/webhooks.ts'
import { mockServer, nora, problemResponse, renderApp } from '#web/testing.ts'

const endpoint: WebhookEndpoint = {
  id: '01930000-0000-7000-8000-000000000701',
  created_at: '2026-11-23T10:00:00.000Z',
  url: 'https://example.com/webhook',
  description: 'Newsletter',
  events: ['*'],
  is_active: true,
  problem: null,
  failing_since: null,
  paused_until: null,
  next_attempt_at: null,
  last_success_at: null,
  waiting: 0,
  failed: 0,
}
const failing: WebhookEndpoint = {
  ...endpoint,
  problem: 'The receiver answered with status 500.',
  paused_until: '2026-11-23T10:05:00.000Z',
  next_attempt_at: '2099-11-23T10:40:00.000Z',
  waiting: 1000, // the server counts no further
  failed: 1,
}
const delivery: WebhookDelivery = {
  id: '01930000-0000-7000-8000-000000000702',
  created_at: '2026-11-23T10:00:00.000Z',
  event: 'contact.created',
  change_id: '01930000-0000-7000-8000-000000000703',
  record_id: '01930000-0000-7000-8000-000000000704',
  status: 'delivered',
  attempts: 1,
  next_at: '2026-11-23T10:00:00.000Z',
  response_status: 204,
  problem: null,
  duration_ms: 12,
  finished_at: '2026-11-23T10:00:01.000Z',
  earlier: null,
}
const failed: WebhookDelivery = {
  ...delivery,
  id: '01930000-0000-7000-8000-000000000705',
  event: 'deal.updated',
  status: 'failed',
  attempts: 80,
  response_status: 500,
  problem: 'The receiver answered with status 500.',
}
const mock = (rows: WebhookEndpoint[], handlers: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({ 'GET /api/session': nora, 'GET /api/webhooks': { rows }, ...handlers })
const click = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }))

const other = { ...endpoint, id: '01930000-0000-7000-8000-000000000706', url: 'https://example.com/other' }

test('an endpoint is added with chosen events, and its secret is shown until the user has saved it', async () => {
  const server = mock([], { 'POST /api/webhooks': () => Response.json({ ...endpoint, secret: 'whsec_abc' }, { status: 201 }) })
  const { router } = await renderApp('/api-keys/webhooks')
  expect(await screen.findByText(/^No endpoints yet/)).toBeTruthy()
  click('Add endpoint')
  expect(await screen.findByText('Enter the address')).toBeTruthy()
  fireEvent.change(screen.getByLabelText('Address'), { target: { value: 'https://example.com/webhook' } })
  fireEvent.change(screen.getByRole('combobox', { name: 'Events' }), { target: { value: 'chosen' } })
  click('Add endpoint')
  expect(await screen.findByText('Choose at least one event')).toBeTruthy()
  fireEvent.click(screen.getByRole('checkbox', { name: 'contact.created' }))
  server.setHandlers({ 'GET /api/webhooks': { rows: [endpoint] } })
  click('Add endpoint')
  const card = await screen.findByRole('region', { name: 'The secret of https://example.com/webhook' })
  expect(within(card).getByText('whsec_abc')).toBeTruthy()
  expect(server.requestsTo('POST /api/webhooks')[0]?.body).toEqual({
    url: 'https://example.com/webhook',
    description: '',
    events: ['contact.created'],
  })
  server.setHandlers({ 'POST /api/webhooks': () => Response.json({ ...other, secret: 'whsec_def' }, { status: 201 }) })
  fireEvent.change(screen.getByLabelText('Address'), { target: { value: 'https://example.com/other' } })
  click('Add endpoint')
  expect(await screen.findByText('whsec_def')).toBeTruthy()
  expect(screen.getByText('whsec_abc')).toBeTruthy() // until it is saved
  fireEvent.click(within(card).getByRole('button', { name: "I've saved this secret" }))
  await waitFor(() => expect(screen.queryByText('whsec_abc')).toBeNull())
  await act(() => router.navigate({ to: `/api-keys/webhooks/${endpoint.id}` }))
  expect(screen.queryByText('whsec_def')).toBeNull()
  await act(() => router.navigate({ to: '/api-keys/webhooks' }))
  expect(await screen.findByText('whsec_def')).toBeTruthy() // other pages do not lose it
  click("I've saved this secret")
  await waitFor(() => expect(screen.queryByText('whsec_def')).toBeNull())
  expect((await screen.findByRole('link', { name: 'Newsletter' })).getAttribute('href')).toBe(`/api-keys/webhooks/${endpoint.id}`)
})

test('what the user types while an endpoint is added stays in the form', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const server = mock([], { 'POST /api/webhooks': () => promise })
  await renderApp('/api-keys/webhooks')
  const address = await screen.findByLabelText<HTMLInputElement>('Address')
  const description = screen.getByLabelText<HTMLInputElement>('Description')
  fireEvent.change(address, { target: { value: endpoint.url } })
  fireEvent.change(description, { target: { value: 'Newsletter' } })
  fireEvent.change(screen.getByRole('combobox', { name: 'Events' }), { target: { value: 'chosen' } })
  fireEvent.click(screen.getByRole('checkbox', { name: 'contact.created' }))
  click('Add endpoint')
  await waitFor(() => expect(server.requestsTo('POST /api/webhooks')).toHaveLength(1))
  fireEvent.change(address, { target: { value: other.url } })
  resolve(Response.json({ ...endpoint, secret: 'whsec_abc' }, { status: 201 }))
  expect(await screen.findByText('whsec_abc')).toBeTruthy()
  expect(address.value).toBe(other.url)
  expect(description.value).toBe('') // was not changed after the request
  expect(screen.getByRole('combobox', { name: 'Events' })).toHaveProperty('value', 'all')
})

test('the page of an endpoint shows why deliveries fail, and sends one delivery or all failed ones again', async () => {
  const server = mock([failing], {
    'GET /api/webhooks/{id}': failing,
    'GET /api/webhooks/{id}/deliveries': { rows: [failed, delivery], next: null },
    'POST /api/webhooks/{id}/deliveries/{delivery}/replay': { ...delivery, status: 'waiting' },
    'POST /api/webhooks/{id}/replay': { count: 1 },
    'POST /api/webhooks/{id}/test': { ...delivery, event: 'test', status: 'waiting' },
  })
  await renderApp(`/api-keys/webhooks/${endpoint.id}`)
  expect(await screen.findByRole('heading', { name: 'Newsletter' })).toBeTruthy()
  // `findByText` ignores the text of child elements, here the time of the next attempt
  const problem = await screen.findByText(
    /^The receiver answered with status 500\. Next attempt due: \. Each delivery is tried for three days\.$/,
  )
  expect(problem.querySelector('time')?.dateTime).toBe(failing.next_attempt_at)
  expect(screen.getByText(/^One delivery has failed and will not be tried any more\. The log below shows why\./)).toBeTruthy()
  expect(screen.getByText('1,000+ waiting')).toBeTruthy()
  const log = screen.getByRole('region', { name: 'Deliveries' })
  const rows = (await within(log).findAllByRole('listitem')).map((row) => row.textContent)
  expect(rows[0]).toMatch(/^deal\.updatedFailed.*80 attempts.*status 500/)
  expect(rows[1]).toMatch(/^contact\.createdDelivered.*1 attempt.*status 204.*12 ms/)
  click(/^Send again: contact\.created of /)
  expect(await screen.findByText('Queued again')).toBeTruthy()
  expect(server.requestsTo('POST /api/webhooks/{id}/deliveries/{delivery}/replay')[0]?.params).toEqual({
    id: endpoint.id,
    delivery: delivery.id,
  })
  click('Send failed again')
  expect(await screen.findByText('1 delivery queued again')).toBeTruthy()
  click('Send test')
  expect(await screen.findByText('Test queued')).toBeTruthy()
  fireEvent.change(screen.getByRole('combobox', { name: 'Show' }), { target: { value: 'failed' } })
  await waitFor(() => expect(server.requestsTo('GET /api/webhooks/{id}/deliveries').at(-1)?.query).toMatchObject({ status: 'failed' }))
})

test('when the next attempt is overdue, the page says that it is due in a moment', async () => {
  const due = { ...failing, next_attempt_at: '2000-01-01T00:00:00.000Z' }
  mock([due], { 'GET /api/webhooks/{id}': due, 'GET /api/webhooks/{id}/deliveries': { rows: [], next: null } })
  await renderApp(`/api-keys/webhooks/${endpoint.id}`)
  expect((await screen.findByText(/Next attempt due/)).textContent).toMatch(/Next attempt due: in a moment\. Each delivery/)
})

test('a waiting delivery has the button “Try now”, other deliveries have “Send again”', async () => {
  const waiting: WebhookDelivery = { ...delivery, status: 'waiting', attempts: 0, response_status: null, duration_ms: null }
  mock([failing], {
    'GET /api/webhooks/{id}': failing,
    'GET /api/webhooks/{id}/deliveries': { rows: [waiting, failed], next: null },
  })
  await renderApp(`/api-keys/webhooks/${endpoint.id}`)
  const rows = await within(await screen.findByRole('region', { name: 'Deliveries' })).findAllByRole('listitem')
  const buttons = rows.map((row) => within(row).getByRole('button'))
  expect(buttons.map(({ textContent }) => textContent)).toEqual(['Try now', 'Send again'])
  expect(buttons[0]?.getAttribute('aria-label')).toMatch(/^Try now: contact\.created of Monday,? 23 November 2026 at /)
})

test('for a delivery that was sent again, the log shows the number of earlier attempts and why they failed', async () => {
  const earlier = { attempts: 80, problem: 'The receiver answered with status 500.' }
  mock([endpoint], {
    'GET /api/webhooks/{id}': endpoint,
    'GET /api/webhooks/{id}/deliveries': { rows: [{ ...delivery, earlier }], next: null },
  })
  await renderApp(`/api-keys/webhooks/${endpoint.id}`)
  const log = await screen.findByRole('region', { name: 'Deliveries' })
  expect((await within(log).findByText(/^before it was sent again/)).parentElement?.textContent).toBe(
    'before it was sent again: 80 attemptsThe receiver answered with status 500.',
  )
})

test('an endpoint without a description has its address once in the list, and once on its page, whose title is the host', async () => {
  const unnamed = { ...endpoint, description: '' }
  mock([unnamed, other], { 'GET /api/webhooks/{id}': unnamed, 'GET /api/webhooks/{id}/deliveries': { rows: [], next: null } })
  const { router } = await renderApp('/api-keys/webhooks')
  expect(await screen.findAllByText(unnamed.url)).toHaveLength(1)
  expect(screen.getAllByText(other.url)).toHaveLength(1) // below its description
  await act(() => router.navigate({ to: `/api-keys/webhooks/${endpoint.id}` }))
  expect(await screen.findByRole('heading', { name: 'example.com' })).toBeTruthy()
  expect(await screen.findAllByText(unnamed.url)).toHaveLength(1)
})

test('an endpoint is turned off, gets a new secret, and is deleted after a confirmation', async () => {
  const server = mock([endpoint], {
    'GET /api/webhooks/{id}': endpoint,
    'GET /api/webhooks/{id}/deliveries': { rows: [], next: null },
    'POST /api/webhooks/{id}': { ...endpoint, is_active: false },
    'POST /api/webhooks/{id}/secret': { secret: 'whsec_new' },
    'DELETE /api/webhooks/{id}': undefined,
  })
  await renderApp(`/api-keys/webhooks/${endpoint.id}`)
  expect(await screen.findByText(/^Nothing was sent yet/)).toBeTruthy()
  server.setHandlers({ 'GET /api/webhooks/{id}': { ...endpoint, is_active: false } })
  click('Turn off')
  expect(await screen.findByRole('button', { name: 'Turn on' })).toBeTruthy()
  expect(server.requestsTo('POST /api/webhooks/{id}')[0]?.body).toEqual({ is_active: false })
  click('Replace secret')
  expect(await screen.findByText('whsec_new')).toBeTruthy()
  click('Delete')
  const dialog = await screen.findByRole('dialog', { name: 'Delete webhook?' })
  server.setHandlers({ 'GET /api/webhooks': { rows: [] } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete webhook' }))
  expect(await screen.findByText('Webhook deleted')).toBeTruthy()
  expect(await screen.findByText(/^No endpoints yet/)).toBeTruthy()
})

test('the list of webhooks does not open if the user has left the page before the webhook was deleted', async () => {
  const deleted = Promise.withResolvers<Response>()
  const server = mock([endpoint], {
    'GET /api/webhooks/{id}': endpoint,
    'GET /api/webhooks/{id}/deliveries': { rows: [], next: null },
    'DELETE /api/webhooks/{id}': () => deleted.promise,
    'GET /api/lead-forms': { rows: [], next: null },
  })
  const { router } = await renderApp(`/api-keys/webhooks/${endpoint.id}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Delete webhook' }))
  await waitFor(() => expect(server.requestsTo('DELETE /api/webhooks/{id}')).toHaveLength(1))
  await act(() => router.navigate({ to: '/lead-forms' }))
  deleted.resolve(new Response(null, { status: 204 }))
  await screen.findByText('Webhook deleted')
  await act(() => new Promise<void>((done) => setTimeout(done, 50)))
  expect(router.state.location.pathname).toBe('/lead-forms')
})

test('when the list cannot be loaded, an error is shown, and the user can try again', async () => {
  const server = mock([], { 'GET /api/webhooks': problemResponse('overloaded') })
  await renderApp('/api-keys/webhooks')
  expect(await screen.findByText('The webhooks could not be loaded')).toBeTruthy()
  server.setHandlers({ 'GET /api/webhooks': { rows: [failing] } })
  click('Try again')
  expect(await screen.findByText('Failing')).toBeTruthy()
})

import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { OutboxMail } from '#contract/outbox.ts'
import { mockServer, nora, problemResponse, renderApp } from '#web/testing.ts'

const sent: OutboxMail = {
  id: '01930000-0000-7000-8000-000000000901',
  created_at: '2026-11-23T10:00:00.000Z',
  to_address: 'mary@example.org',
  subject: 'Confirmed: Site visit',
  content: 'Your booking is confirmed.',
  state: 'sent',
  problem: '',
  next_attempt_at: null,
  sent_at: '2026-11-23T10:00:01.000Z',
  is_outdated: false,
  about: { kind: 'booking', id: '01930000-0000-7000-8000-000000000902', parent_id: null },
}
const waiting: OutboxMail = {
  ...sent,
  id: '01930000-0000-7000-8000-000000000903',
  subject: 'New submission: Kitchen',
  state: 'waiting',
  problem: 'The mail server answered: 451 later',
  next_attempt_at: '2099-11-23T10:10:00.000Z',
  sent_at: null,
  about: { kind: 'submission', id: '01930000-0000-7000-8000-000000000904', parent_id: '01930000-0000-7000-8000-000000000905' },
}
const mock = (rows: OutboxMail[], handlers: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({ 'GET /api/session': nora, 'GET /api/outbox': { rows, more: false, sends_mail: true }, ...handlers })
const click = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }))

test('each mail shows its state, problem, next try, text and record, and can be sent now or given up', async () => {
  const server = mock([waiting, sent], {
    'POST /api/outbox/{id}/send': () => new Response(null, { status: 204 }),
    'POST /api/outbox/{id}/give-up': () => new Response(null, { status: 204 }),
  })
  await renderApp('/account/outbox')
  expect((await screen.findByText('New submission: Kitchen')).closest('li')?.textContent).toMatch(
    /Waiting.*to mary@example\.org.*451 later.*next try .*Open submission/,
  )
  expect(screen.getByText('Confirmed: Site visit').closest('li')?.textContent).toMatch(/Sent.*sent .*Your booking is confirmed\./)
  expect(screen.getByRole('link', { name: 'Open submission' }).getAttribute('href')).toBe(
    `/lead-forms/${waiting.about?.parent_id}/submissions?open=${waiting.about?.id}`,
  )
  click('Try now: New submission: Kitchen to mary@example.org')
  expect(await screen.findByText('Sending again')).toBeTruthy()
  click('Give up: New submission: Kitchen to mary@example.org')
  expect(await screen.findByText('Mail given up')).toBeTruthy()
  server.setHandlers({ 'GET /api/outbox': { rows: [], more: false, sends_mail: true } })
  fireEvent.change(screen.getByRole('combobox', { name: 'Show' }), { target: { value: 'failed' } })
  expect(await screen.findByText('No such mails.')).toBeTruthy()
  expect(server.requestsTo('GET /api/outbox').at(-1)?.query).toMatchObject({ state: 'failed' })
})

test('a mail whose next try is due says "next try in a moment"; without a mail server no mail announces a try', async () => {
  const due = { ...waiting, next_attempt_at: '2000-01-01T00:00:00.000Z' }
  const server = mock([due])
  await renderApp('/account/outbox')
  expect(await screen.findByText(/^next try/)).toHaveProperty('textContent', 'next try in a moment')
  server.setHandlers({ 'GET /api/outbox': { rows: [due, { ...due, id: sent.id, next_attempt_at: null }], more: false, sends_mail: false } })
  fireEvent.change(screen.getByRole('combobox', { name: 'Show' }), { target: { value: 'waiting' } })
  expect(await screen.findAllByText('cannot be sent without a mail server')).toHaveLength(2)
  expect(screen.queryByText(/next try|is sent now/)).toBeNull()
})

test('mails with the same subject are told apart by the beginning of their text, without what the subject says', async () => {
  const booked = { ...sent, subject: 'New booking: Quick call', to_address: 'nora@foyer.example' }
  const write = (time: string, name: string): string => `New booking\n\nQuick call\n${time}\n\nName: ${name}\n`
  const long = 'a'.repeat(5000)
  mock([
    { ...booked, content: write('Tuesday, 10:00 to 10:30', 'Ada Byron') },
    { ...booked, id: waiting.id, content: write('Tuesday, 11:00 to 11:30', long) },
  ])
  await renderApp('/account/outbox')
  await screen.findAllByText('New booking: Quick call')
  const rows = screen.getAllByText(/^Tuesday, /, { selector: 'summary *' }).map(({ textContent }) => textContent)
  expect(rows[0]).toBe('Tuesday, 10:00 to 10:30 · Name: Ada Byron')
  expect(rows[1]).toBe(`Tuesday, 11:00 to 11:30 · Name: ${long}`.slice(0, 300))
})

test('a mail that is out of date is not offered for sending', async () => {
  const failed: OutboxMail = { ...sent, state: 'failed', problem: 'The mail server answered: 550 no', sent_at: null }
  const replaced: OutboxMail = { ...failed, id: waiting.id, subject: 'Moved: Site visit', is_outdated: true }
  mock([replaced, failed])
  await renderApp('/account/outbox')
  expect(await screen.findByText('Moved: Site visit')).toBeTruthy()
  expect(screen.getAllByRole('button', { name: /^Send again/ }).map((button) => button.getAttribute('aria-label'))).toEqual([
    'Send again: Confirmed: Site visit to mary@example.org',
  ])
})

test('"Try again" loads the outbox after a failure; without a mail server the page names the setting SMTP_URL', async () => {
  const server = mock([], { 'GET /api/outbox': problemResponse('overloaded') })
  await renderApp('/account/outbox')
  expect(await screen.findByText('The mails could not be loaded')).toBeTruthy()
  server.setHandlers({ 'GET /api/outbox': { rows: [], more: false, sends_mail: false } })
  click('Try again')
  expect(await screen.findByRole('heading', { name: 'No mails yet' })).toBeTruthy()
  expect(screen.getByText('SMTP_URL')).toBeTruthy()
})

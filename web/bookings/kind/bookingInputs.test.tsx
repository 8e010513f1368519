// Tests the fields of a booking that are filled from the selected contact and booking link.
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { BookingLinkRow, emptyBookingLink, type BookingLink } from '#contract/bookingLinks.ts'
import { bastian, imara, makePage } from '#web/contacts/testing.ts'
import { queries } from '#web/lib/queries.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import { changeResponse, problemResponse, renderApp } from '#web/testing.ts'
import { mockServerWith, visit } from '../testing.ts'

const link: BookingLink = {
  ...emptyBookingLink,
  id: '01930000-0000-7000-8000-0000000000b1',
  title: 'Site visit',
  slug: 'site-visit',
  booking_count: 0,
  waiting_count: 0,
  waiting: [],
  created_at: imara.created_at,
  updated_at: imara.updated_at,
  version: 2,
}
const otherLink = { ...link, id: '01930000-0000-7000-8000-0000000000b2', title: 'First call', slug: 'first-call' }

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' })
async function select(label: string, title: string): Promise<void> {
  fireEvent.click(input(label))
  fireEvent.click(await screen.findByRole('option', { name: new RegExp(`^${title}`) }))
}

test('a selected contact fills the empty fields of the visitor and leaves the others', async () => {
  const server = mockServerWith()
  server.setHandlers({ 'GET /api/contacts': makePage([imara]), 'GET /api/contacts/{id}': imara })
  await renderApp('/bookings/calendar/new?start=2027-03-27T09:00:00Z')
  fireEvent.change(await screen.findByLabelText('Name optional'), { target: { value: 'Ann' } })
  await select('Contact optional', 'Imara Vantongeren')
  await waitFor(() => expect(input('Email optional').value).toBe(imara.email))
  expect(input('Name optional').value).toBe('Ann')
})

test('a contact that is selected in the panel of a booking changes no other field', async () => {
  const booking = { ...visit, attendee_name: '', contact_id: null, contact_name: '' }
  const server = mockServerWith(booking)
  server.setHandlers({
    'GET /api/contacts': makePage([imara]),
    'GET /api/contacts/{id}': imara,
    'PATCH /api/bookings/{id}': changeResponse('c-1', { ...booking, contact_id: imara.id, contact_name: 'Imara Vantongeren', version: 3 }),
  })
  queries.setQueryData(recordKeys('crm_contacts').one(imara.id), imara) // so that the fields would be filled before the request
  await renderApp(`/bookings/calendar/${booking.id}?day=2026-11-23`)
  fireEvent.click(await screen.findByRole('button', { name: /^Show .* empty field/ }))
  fireEvent.click(screen.getByRole('button', { name: 'Edit contact' }))
  fireEvent.click(await screen.findByRole('option', { name: /^Imara Vantongeren/ }))
  expect(await screen.findByText('Booking updated')).toBeTruthy()
  expect(server.requestsTo('PATCH /api/bookings/{id}').map(({ body }) => body)).toEqual([{ contact_id: imara.id, version: 2 }])
  await waitFor(() => expect(screen.queryByLabelText('Contact optional', { selector: 'input' })).toBeNull())
})

test.each([
  {
    field: 'Contact',
    route: 'GET /api/contacts/{id}',
    records: [imara, bastian],
    titles: ['Imara Vantongeren', 'Bastian Ollerquist'],
    filled: 'Name',
  },
  {
    field: 'Booking link',
    route: 'GET /api/booking-links/{id}',
    records: [link, otherLink],
    titles: ['Site visit', 'First call'],
    filled: 'Title',
  },
])('the values of a $field that arrive after another one was selected do not fill the form', async (example) => {
  const { field, route, records, titles } = example
  const label = `${field} optional`
  const filledLabel = example.filled === 'Title' ? 'Title' : 'Name optional'
  const responses = records.map(() => Promise.withResolvers<object>())
  const server = mockServerWith()
  server.setHandlers({
    'GET /api/contacts': makePage([imara, bastian]),
    'GET /api/booking-links': { rows: [link, otherLink].map((each) => BookingLinkRow.parse(each)), next: null },
    [route]: ({ params }: { params: Record<string, string> }) =>
      responses[records.findIndex(({ id }) => id === params['id'])]?.promise ?? problemResponse('not_found'),
  })
  await renderApp('/bookings/calendar/new?start=2027-03-27T09:00:00Z')
  await screen.findByLabelText(label, { selector: 'input' })
  await select(label, titles[0] ?? '')
  await select(label, titles[1] ?? '')
  await waitFor(() => expect(server.requestsTo(route)).toHaveLength(2))
  responses[0]?.resolve(records[0] ?? {})
  responses[1]?.resolve(records[1] ?? {})
  await waitFor(() => expect(input(filledLabel).value).toBe(titles[1]))
})

// Tests the fields of a booking that are filled from the selected contact and booking link.
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { BookingLinkRow, emptyBookingLink, type BookingLink } from '#contract/bookingLinks.ts'
import { bastian, imara, makePage } from '#web/contacts/testing.ts'
import { problemResponse, renderApp } from '#web/testing.ts'
import { mockServerWith } from '../testing.ts'

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

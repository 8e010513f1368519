// Booking links and bookings for the test of all screens, and their screens.
import type { APIRequestContext, Page } from 'playwright-core'
import type { Screen } from './screen.ts'

export type SampleBookings = { link: string; booking: string; cancelled: string; contact: string }

/** Adds two booking links, and bookings on 2 December 2026: three at different times, and a cancelled one. */
export async function addSampleBookings(request: APIRequestContext, url: string, contact: string): Promise<SampleBookings> {
  const add = async (path: string, data: object): Promise<string> => {
    const response = await request.post(`${url}/api/${path}`, { data, headers: { origin: url } })
    if (!response.ok()) throw new Error(await response.text())
    const { id }: { id: string } = await response.json()
    return id
  }
  const weekly = [
    { weekday: 1, from: '09:00', to: '12:00' },
    { weekday: 1, from: '13:00', to: '24:00' },
  ]
  const days_off = [{ from: '2026-12-24', to: '2027-01-02' }]
  const dates = [{ date: '2026-12-05', hours: [{ from: '10:00', to: '12:00' }] }]
  const link = await add('booking-links', { title: 'Site visit', availability: { weekly, days_off, dates } })
  await add('booking-links', { title: 'First call with a title that is far too long for its column', color: '#DC4545', is_active: false })
  const attendee = { attendee_name: 'Imara Vantongeren', attendee_email: 'imara@quillstone.example', attendee_phone: '+44 20 7946 0118' }
  const addAt = (hour: number, fields: object): Promise<string> =>
    add('bookings', {
      title: `Site visit at ${hour}`,
      start_time: `2026-12-02T${hour}:00:00Z`,
      end_time: `2026-12-02T${hour}:45:00Z`,
      ...attendee,
      ...fields,
    })
  const booking = await addAt(10, { booking_link_id: link, contact_id: contact, notes: 'Parking behind the house.' })
  await addAt(11, { timezone: 'America/New_York', status: 'no-show' })
  await addAt(14, { timezone: 'Asia/Kathmandu' })
  const cancelled = await addAt(15, { status: 'cancelled' })
  return { link, booking, cancelled, contact }
}

const byName = (role: 'link' | 'heading' | 'textbox', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first().waitFor()

/** The screens of bookings. `getBookings` is called when a screen is opened, because the bookings are added after the tests are listed. */
export const bookingScreens = (getBookings: () => SampleBookings): Record<string, Screen> => ({
  'booking links': { path: () => '/bookings/links', waitForContent: byName('link', 'Site visit') },
  'new booking link': { path: () => '/bookings/links/new', waitForContent: byName('textbox', 'Title') },
  'booking link': { path: () => `/bookings/links/${getBookings().link}`, waitForContent: byName('heading', 'Site visit') },
  'editing the hours of a booking link': {
    path: () => `/bookings/links/${getBookings().link}/edit`,
    waitForContent: async (page) => {
      await page.getByRole('button', { name: 'Add date' }).waitFor()
      await page.getByRole('button', { name: 'Add date' }).scrollIntoViewIfNeeded()
    },
  },
  calendar: { path: () => '/bookings/calendar?day=2026-12-02', waitForContent: byName('link', 'Site visit at 14') },
  'calendar without appointments': {
    path: () => '/bookings/calendar?day=2027-12-02',
    waitForContent: (page) => page.getByText('No appointments scheduled for this day.').waitFor(),
  },
  'calendar by week': { path: () => '/bookings/calendar?view=week&day=2026-12-02', waitForContent: byName('link', /^Site visit at 10/) },
  'calendar by day': { path: () => '/bookings/calendar?view=day&day=2026-12-02', waitForContent: byName('link', /^Site visit at 10/) },
  booking: {
    path: () => `/bookings/calendar/${getBookings().booking}?day=2026-12-02`,
    waitForContent: byName('heading', 'Site visit at 10'),
  },
  'cancelled booking': {
    path: () => `/bookings/calendar/${getBookings().cancelled}?view=day&day=2026-12-02`,
    waitForContent: (page) => page.getByRole('button', { name: 'Confirm again' }).waitFor(),
  },
  'new booking': { path: () => '/bookings/calendar/new?title=Tea', waitForContent: (page) => page.getByLabel('Start, time').waitFor() },
  'appointments of a contact': {
    path: () => `/crm/contacts/${getBookings().contact}?tab=appointments`,
    waitForContent: byName('link', 'Site visit at 10'),
  },
})

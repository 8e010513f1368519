import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { bookingRoutes } from '#contract/bookings.ts'
import { recordKinds } from '#contract/kinds.ts'
import { busyTimeRoutes } from '#contract/otherCalendars.ts'
import { call } from '#web/lib/client.ts'
import { recordKeys } from '#web/records/kind/queries.ts'

const { table } = recordKinds.booking
const tables = [table, 'booking_links', 'crm_contacts', 'profiles']

/** Loads the bookings between two days. The day `to` is not included. */
export const calendarQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: [table, 'calendar', from, to],
    meta: { tables },
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(bookingRoutes.calendar, { query: { from, to } }, { signal }),
  })

/** Loads the busy times of other calendars between two days. The day `to` is not included. */
export const busyTimesQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: ['other_calendar_times', from, to],
    meta: { tables: ['other_calendars', 'other_calendar_sources', 'profiles'] },
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(busyTimeRoutes.list, { query: { from, to } }, { signal }),
  })

/** The maximum number of bookings that are shown with a contact. */
export const maxContactBookings = 50

/** Loads the bookings of a contact, the latest first. */
export const contactBookingsQuery = (contactId: string) =>
  queryOptions({
    queryKey: recordKeys(table).linkedTo('contact_id', contactId),
    meta: { tables },
    queryFn: ({ signal }) => {
      const filter = JSON.stringify([{ field: 'contact_id', is: [contactId] }])
      return call(bookingRoutes.list, { query: { filter, sort: 'start_time', order: 'desc', limit: maxContactBookings } }, { signal })
    },
  })

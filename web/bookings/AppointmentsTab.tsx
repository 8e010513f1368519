import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { bookingRoutes, type BookingRow } from '#contract/bookings.ts'
import { recordKinds } from '#contract/kinds.ts'
import { formatNumber } from '#web/lib/format.ts'
import { describeError } from '#web/lib/toasts.ts'
import { LinkedCount } from '#web/records/links/LinkedCount.tsx'
import classes from './AppointmentsTab.module.css'
import { StatusBadge } from './kind/StatusBadge.tsx'
import { contactBookingsQuery, maxContactBookings } from './queries.ts'
import { formatBookingTime, useZone } from './zone.ts'

/** The tab of a contact's page with the bookings of the contact, the latest first. */
export const AppointmentsTab = ({ contactId }: { contactId: string }) => (
  <div className={classes['tab']}>
    <Button
      renderRoot={(props) => <Link to="/bookings/calendar/new" search={{ contact: contactId }} {...props} />}
      variant="default"
      leftSection={<IconPlus size={16} stroke={1.75} />}
    >
      Add booking
    </Button>
    <Suspense fallback={<Waiting />}>
      <Appointments contactId={contactId} />
    </Suspense>
  </div>
)

export const AppointmentsCount = ({ contactId }: { contactId: string }) => (
  <LinkedCount table={recordKinds.booking.table} route={bookingRoutes.count} field="contact_id" id={contactId} />
)

function Appointments({ contactId }: { contactId: string }) {
  const { data, error, isFetching, refetch } = useQuery(contactBookingsQuery(contactId))
  if (!data && error)
    return (
      <div role="alert" className={classes['none']}>
        <p>The appointments could not be loaded. {describeError(error)}</p>
        <Button variant="default" onClick={() => void refetch()} loading={isFetching}>
          Try again
        </Button>
      </div>
    )
  if (!data) return <Waiting />
  if (data.rows.length === 0) return <p className={classes['none']}>This contact has no appointments.</p>
  return (
    <>
      <ul className={classes['list']}>
        {data.rows.map((booking) => (
          <Appointment key={booking.id} booking={booking} />
        ))}
      </ul>
      {data.rows.length === maxContactBookings && (
        <p className={classes['none']}>The latest {formatNumber(maxContactBookings)} appointments are shown.</p>
      )}
    </>
  )
}

function Appointment({ booking }: { booking: BookingRow }) {
  const zone = useZone()
  const { id, title, status, notes, start_time, end_time, booking_link_title } = booking
  return (
    <li>
      <div className={classes['head']}>
        <Link
          to="/bookings/calendar/$id"
          params={{ id }}
          search={{ day: start_time.slice(0, 10) }}
          className={classes['title']}
          title={title}
        >
          {title}
        </Link>
        <StatusBadge status={status} />
      </div>
      <p>
        {booking_link_title && `${booking_link_title} · `}
        <time dateTime={start_time}>{formatBookingTime(zone, start_time, end_time)}</time>
      </p>
      {notes && (
        <p className={classes['notes']} dir="auto">
          {notes}
        </p>
      )}
    </li>
  )
}

const Waiting = () => <output className={classes['waiting']} aria-label="Loading" />

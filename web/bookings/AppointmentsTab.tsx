import { Button, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useId, useState } from 'react'
import { bookingRoutes, type BookingRow } from '#contract/bookings.ts'
import { recordKinds } from '#contract/kinds.ts'
import { formatCount, formatNumber, getDayOf } from '#web/lib/format.ts'
import { describeError } from '#web/lib/toasts.ts'
import { recordQuery } from '#web/records/kind/queries.ts'
import { LinkedCount } from '#web/records/links/LinkedCount.tsx'
import { AnswerList } from './AnswerList.tsx'
import classes from './AppointmentsTab.module.css'
import { bookingKind } from './kind/bookingKind.tsx'
import { StatusBadge } from './kind/StatusBadge.tsx'
import { contactBookingsQuery, maxContactBookings } from './queries.ts'
import { formatBookingTime, useZone } from './zone.ts'

/** The tab of a contact's page with the bookings of the contact, the latest first. */
export const AppointmentsTab = ({ contactId }: { contactId: string }) => (
  <div className={classes['tab']}>
    <Button
      renderRoot={(props) => <Link to="/bookings/calendar/new" search={{ contact: contactId }} {...props} />}
      variant="default"
      className={classes['add']}
      leftSection={<IconPlus size={16} stroke={1.75} />}
    >
      Add booking
    </Button>
    <Suspense fallback={<LoadingPlaceholder />}>
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
  if (!data) return <LoadingPlaceholder />
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
  const { id, title, status, notes, start_time, end_time, booking_link_title, answer_count } = booking
  return (
    <li>
      <div className={classes['head']}>
        <Link
          to="/bookings/calendar/$id"
          params={{ id }}
          search={{ day: getDayOf(Date.parse(start_time)) }}
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
      {answer_count > 0 && <Answers id={id} count={answer_count} />}
    </li>
  )
}

/** The answers to the questions of the booking link. Loads them when the user opens the list. */
function Answers({ id, count }: { id: string; count: number }) {
  const listId = useId()
  const [isOpen, setIsOpen] = useState(false)
  const { data, error } = useQuery({ ...recordQuery(bookingKind, id), enabled: isOpen })
  const ToggleIcon = isOpen ? IconChevronDown : IconChevronRight
  return (
    <>
      <UnstyledButton
        className={classes['toggle']}
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setIsOpen((previous) => !previous)}
      >
        <ToggleIcon size={16} stroke={1.75} aria-hidden />
        {formatCount(count, 'answer')}
      </UnstyledButton>
      <div id={listId}>
        {isOpen && data?.answers && <AnswerList answers={data.answers} />}
        {isOpen && !data && error && <p role="alert">The answers could not be loaded. {describeError(error)}</p>}
      </div>
    </>
  )
}

const LoadingPlaceholder = () => <output className={classes['waiting']} aria-label="Loading" />

import { Button } from '@mantine/core'
import { IconMail, IconPhone, IconPlus, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { CalendarBooking } from '#contract/bookings.ts'
import type { OtherBusyTime } from '#contract/otherCalendars.ts'
import { formatExactDay, getTimezone } from '#web/lib/format.ts'
import { toMailtoLink, toTelLink } from '#web/records/links/externalLinks.ts'
import { StatusBadge } from '../kind/StatusBadge.tsx'
import { parseCalendar } from '../calendarAddress.ts'
import classes from './DayList.module.css'
import { formatBusyTime, formatLocalTimes, hasOtherTimes, isOnDay, isOverSeveralDays } from './dayBookings.ts'

type DayListProps = {
  day: string
  bookings: readonly CalendarBooking[]
  /** The busy times of other calendars. */
  busyTimes: readonly OtherBusyTime[]
  isLoading: boolean
  /** The URL parameters of a new booking on the day. */
  newSearch: { start?: string; end?: string } | undefined
}

/** The bookings of the selected day. */
export function DayList({ day, bookings, busyTimes, isLoading, newSearch }: DayListProps) {
  const shown = bookings.filter((booking) => isOnDay(booking, day))
  const shownBusy = busyTimes.filter((busyTime) => isOnDay(busyTime, day))
  return (
    <section className={classes['list']} aria-label="Appointments of the day">
      <h3>{formatExactDay(day)}</h3>
      {isLoading && shown.length === 0 && (
        <output className={classes['waiting']} aria-label="Loading">
          <span />
          <span />
        </output>
      )}
      {!isLoading && shown.length === 0 && <p className={classes['none']}>No appointments scheduled for this day.</p>}
      {shown.length > 0 && (
        <ul>
          {shown.map((booking) => (
            <BookingItem key={booking.id} booking={booking} />
          ))}
        </ul>
      )}
      {shownBusy.length > 0 && (
        <ul aria-label="Busy in other calendars">
          {shownBusy.map((busyTime) => (
            <li key={busyTime.id} className={classes['busy']}>
              <span className={classes['time']}>{formatBusyTime(busyTime, day)}</span>
              <span title={busyTime.name}>Busy: {busyTime.name}</span>
            </li>
          ))}
        </ul>
      )}
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link to="/bookings/calendar/new" search={(search) => ({ ...parseCalendar(search), ...newSearch })} {...props} />
        )}
        leftSection={<IconPlus size={16} stroke={1.75} />}
      >
        Add booking on this day
      </Button>
    </section>
  )
}

const iconProps = { size: 14, stroke: 1.75, 'aria-hidden': true }

function BookingItem({ booking }: { booking: CalendarBooking }) {
  const { id, title, status, attendee_name, attendee_email, attendee_phone, contact_id, contact_name, booking_link_color: color } = booking
  const name = attendee_name || contact_name
  return (
    <li className={classes['booking']} style={{ borderColor: color || undefined }} data-cancelled={status === 'cancelled' || undefined}>
      <div className={classes['head']}>
        <Link to="/bookings/calendar/$id" params={{ id }} search={parseCalendar} title={title} className={classes['title']}>
          {title}
        </Link>
        {status !== 'confirmed' && <StatusBadge status={status} />}
      </div>
      <BookingTimes booking={booking} />
      {name && (
        <p>
          <IconUser {...iconProps} />
          {contact_id ? (
            <Link to="/crm/contacts/$id" params={{ id: contact_id }} title={name}>
              {name}
            </Link>
          ) : (
            <span title={name}>{name}</span>
          )}
        </p>
      )}
      {attendee_email && (
        <p>
          <IconMail {...iconProps} />
          <a href={toMailtoLink(attendee_email)} title={attendee_email}>
            {attendee_email}
          </a>
        </p>
      )}
      {attendee_phone && (
        <p>
          <IconPhone {...iconProps} />
          <a href={toTelLink(attendee_phone)}>{attendee_phone}</a>
        </p>
      )}
    </li>
  )
}

/**
 * Shows the times in the zone of the booking and, if they differ, below them also in the zone of the profile. Only the times in the zone of
 * the profile name the days of a booking over several days.
 */
function BookingTimes({ booking }: { booking: CalendarBooking }) {
  const { start_time, shown_start, shown_end, shown_zone, local_start, local_end } = booking
  const ownTimes = isOverSeveralDays(booking) ? formatLocalTimes(booking) : `${local_start.slice(11)} - ${local_end.slice(11)}`
  return (
    <>
      <p className={classes['time']}>
        <time dateTime={start_time}>{hasOtherTimes(booking) ? `${shown_start} - ${shown_end}` : ownTimes}</time>{' '}
        {hasOtherTimes(booking) && shown_zone}
      </p>
      {hasOtherTimes(booking) && (
        <p className={classes['time']}>
          {ownTimes} in {getTimezone().replaceAll('_', ' ')}
        </p>
      )}
    </>
  )
}

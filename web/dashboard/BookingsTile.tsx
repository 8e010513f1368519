import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Dashboard } from '#contract/dashboard.ts'
import { formatExactDay, formatNumber, formatRelativeDay } from '#web/lib/format.ts'
import { useNow } from '#web/ui/useNow.ts'
import classes from './BookingsTile.module.css'
import { Tile } from './Tile.tsx'
import tile from './Tile.module.css'

/** The next bookings. */
export function BookingsTile({ query }: { query: UseQueryResult<Dashboard> }) {
  return (
    <Tile
      title="Bookings"
      getSummary={({ bookings: { today, upcoming } }) =>
        upcoming > 0 ? `${formatNumber(today)} today, ${formatNumber(upcoming)} to come` : undefined
      }
      link={<Link to="/bookings/calendar">Calendar</Link>}
      query={query}
      layout="lines"
      isWide
    >
      {({ bookings: { rows } }) =>
        rows.length > 0 ? (
          <ul>
            {rows.map((booking) => (
              <BookingLine key={booking.id} booking={booking} />
            ))}
          </ul>
        ) : (
          <p className={tile['nothing']}>
            No appointments are coming up. What visitors book, and what you add to the calendar, shows here.
          </p>
        )
      }
    </Tile>
  )
}

function BookingLine({ booking }: { booking: Dashboard['bookings']['rows'][number] }) {
  const { id, title, name, color, local_start } = booking
  const [day = '', time] = local_start.split('T')
  const now = useNow()
  return (
    <li className={classes['line']}>
      <span className={classes['dot']} style={{ backgroundColor: color || undefined }} aria-hidden="true" />
      <span className={classes['text']}>
        <Link to="/bookings/calendar/$id" params={{ id }} search={{ day }} className={classes['title']} title={title}>
          {title}
        </Link>{' '}
        <span>{name}</span>
      </span>
      <time dateTime={local_start} title={formatExactDay(day)}>
        {formatRelativeDay(day, now)} {time}
      </time>
    </li>
  )
}

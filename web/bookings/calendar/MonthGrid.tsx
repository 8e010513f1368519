import { IconArrowRight, IconWorld } from '@tabler/icons-react'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import type { CalendarBooking } from '#contract/bookings.ts'
import type { OtherBusyTime } from '#contract/otherCalendars.ts'
import { formatCount, formatExactDay } from '#web/lib/format.ts'
import { addDays, addMonths, formatWeekday, isSameMonth } from '../days.ts'
import { formatBusyTime, formatLocalTime, formatLocalTimes, hasOtherTimes, isOnDay, isOverSeveralDays } from './dayBookings.ts'
import classes from './MonthGrid.module.css'

/** The maximum number of start times that a day shows. */
const maxTimes = 2

type MonthGridProps = {
  /** The days of whole weeks from Sunday to Saturday. */
  days: readonly string[]
  /** The selected day. */
  day: string
  today: string
  bookings: readonly CalendarBooking[]
  /** The busy times of other calendars. */
  busyTimes: readonly OtherBusyTime[]
  onSelect: (day: string) => void
}

/** The days of a month with the start times of the first bookings. Arrow keys and Page Up and Down select another day. */
export function MonthGrid({ days, day, today, bookings, busyTimes, onSelect }: MonthGridProps) {
  const table = useRef<HTMLTableElement>(null)
  /** The day was selected with a key, so its button gets the focus when the grid shows it, perhaps in another month. */
  const isFocusWanted = useRef(false)
  useEffect(() => {
    if (isFocusWanted.current) table.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus()
    isFocusWanted.current = false
  }, [day])
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
  const handleKey = (event: KeyboardEvent): void => {
    const next = getDayByKey(day, event.key)
    if (!next || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    isFocusWanted.current = true
    onSelect(next)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of its buttons
    <table ref={table} className={classes['month']} aria-label="Days of the month" onKeyDown={handleKey}>
      <thead>
        <tr>
          {days.slice(0, 7).map((each) => (
            <th key={each} scope="col">
              {formatWeekday(each)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((each) => (
              <td key={each}>
                <DayButton
                  day={each}
                  isOtherMonth={!isSameMonth(each, day)}
                  isSelected={each === day}
                  isToday={each === today}
                  bookings={bookings.filter((booking) => booking.status !== 'cancelled' && isOnDay(booking, each))}
                  busyTimes={busyTimes.filter((busyTime) => isOnDay(busyTime, each))}
                  onSelect={onSelect}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type DayButtonProps = Pick<MonthGridProps, 'day' | 'bookings' | 'busyTimes' | 'onSelect'> & {
  isOtherMonth: boolean
  isSelected: boolean
  isToday: boolean
}

const DayButton = ({ day, bookings, busyTimes, isOtherMonth, isSelected, isToday, onSelect }: DayButtonProps) => (
  <button
    type="button"
    className={classes['day']}
    data-day={day}
    data-other={isOtherMonth || undefined}
    aria-pressed={isSelected}
    aria-current={isToday ? 'date' : undefined}
    tabIndex={isSelected ? 0 : -1}
    onClick={() => onSelect(day)}
  >
    <span className={classes['screenReaderOnly']}>
      {formatExactDay(day)}, {bookings.length === 0 ? 'no appointments' : formatCount(bookings.length, 'appointment')}
      {busyTimes.length > 0 && `, ${formatCount(busyTimes.length, 'busy time')}`}
    </span>
    <span className={classes['number']} aria-hidden>
      {Number(day.slice(8))}
    </span>
    {bookings.slice(0, maxTimes).map((booking) => (
      <DayBooking key={booking.id} day={day} booking={booking} />
    ))}
    {bookings.length > maxTimes && <span className={classes['more']}>+{bookings.length - maxTimes} more</span>}
    {busyTimes.length > 0 && (
      <span
        className={classes['busy']}
        title={busyTimes.map((busyTime) => `Busy: ${formatBusyTime(busyTime, day)} ${busyTime.name}`).join('\n')}
        aria-hidden
      />
    )}
  </button>
)

type DayBookingProps = { day: string; booking: CalendarBooking }

/** A booking of a day: its start if it begins on the day, else a mark that it continues. */
const DayBooking = ({ day, booking }: DayBookingProps) =>
  booking.local_start.slice(0, 10) < day ? <ContinuedBooking booking={booking} /> : <StartTime booking={booking} />

function ContinuedBooking({ booking }: { booking: CalendarBooking }) {
  const { title, booking_link_color: color } = booking
  const times = formatLocalTimes(booking)
  return (
    <span className={classes['time']} style={{ borderColor: color || undefined }} title={`${times}: ${title}`}>
      <IconArrowRight className={classes['continued']} size={14} stroke={1.75} aria-hidden />
      <span className={classes['screenReaderOnly']}>continues, {times}</span> <i>{title}</i>
    </span>
  )
}

/** The start in the zone of the booking. If the owner's clocks show another time, a mark says so and the title says which. */
function StartTime({ booking }: { booking: CalendarBooking }) {
  const { title, shown_start, shown_zone, local_start, local_end, booking_link_color: color } = booking
  const isLong = isOverSeveralDays(booking)
  const ownTimes = isLong ? formatLocalTimes(booking) : local_start.slice(11)
  const zoneText = hasOtherTimes(booking) && ` in ${shown_zone}, ${ownTimes} for you`
  const endText = isLong && !zoneText && ` to ${formatLocalTime(local_end)}`
  return (
    <span
      className={classes['time']}
      style={{ borderColor: color || undefined }}
      title={zoneText ? `${shown_start}${zoneText}: ${title}` : `${shown_start}${endText || ''} ${title}`}
    >
      <b>{shown_start}</b>
      {zoneText && (
        <>
          <IconWorld className={classes['zone']} size={12} stroke={1.75} aria-hidden />
          <span className={classes['screenReaderOnly']}>{zoneText}</span>
        </>
      )}
      {endText && <span className={classes['screenReaderOnly']}>{endText}</span>} <i>{title}</i>
    </span>
  )
}

const getDayByKey = (day: string, key: string): string | undefined => {
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
  const step = steps[key]
  if (step !== undefined) return addDays(day, step)
  if (key === 'PageUp') return addMonths(day, -1)
  return key === 'PageDown' ? addMonths(day, 1) : undefined
}

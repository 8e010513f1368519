import type { Availability } from '#contract/bookingLinks.ts'
import { formatWeekdayAndDay } from '#web/lib/format.ts'
import { describeAvailability, weekdays, type Hours } from './availabilityText.ts'
import classes from './hours.module.css'

/** The hours of a booking link, one line for each weekday, time off and single date. */
export function HoursSummary({ availability }: { availability: Availability | null }) {
  if (!availability) return describeAvailability(null)
  const { weekly, days_off, dates } = availability
  const lines = [
    ...weekdays.map((name, weekday) => ({ name: name.slice(0, 3), text: formatHours(weekly.filter((each) => each.weekday === weekday)) })),
    ...days_off.map(({ from, to }) => ({
      name: 'Off',
      text: from === to ? formatWeekdayAndDay(from) : `${formatWeekdayAndDay(from)} to ${formatWeekdayAndDay(to)}`,
    })),
    ...dates.map(({ date, hours }) => ({ name: formatWeekdayAndDay(date), text: formatHours(hours) })),
  ]
  return (
    <ul className={classes['summary']}>
      {lines.map(({ name, text }) => (
        <li key={`${name} ${text}`}>
          <span>{name}</span> <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}

/** The non-breaking spaces prevent a line break within a range of hours. */
const formatHours = (hours: readonly Hours[]): string => hours.map(({ from, to }) => `${from}\u00a0to\u00a0${to}`).join(', ') || 'Closed'

import { formatCount } from '#web/lib/format.ts'

const dayMinutes = 24 * 60
const hourMinutes = 60

/** Formats a number of minutes as "1 day", "1 hour 30 minutes" or "45 minutes". */
export function formatMinutes(minutes: number): string {
  const days = Math.floor(minutes / dayMinutes)
  const hours = Math.floor((minutes % dayMinutes) / hourMinutes)
  const rest = minutes % hourMinutes
  const parts = [
    days > 0 && formatCount(days, 'day'),
    hours > 0 && formatCount(hours, 'hour'),
    (rest > 0 || minutes === 0) && formatCount(rest, 'minute'),
  ]
  return parts.filter(Boolean).join(' ')
}

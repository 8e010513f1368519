import { countDaysUntil, getDayOf, getToday } from '#web/lib/format.ts'

/** Conversations of more than one day and at most this many days ago form a group. */
const recentDays = 7

/** Groups conversations by the day of their newest message: "Today", "Yesterday", "Last 7 days", then months. Keeps their order. */
export function groupConversations<Row extends { last_message_at: string }>(
  rows: readonly Row[],
  now: number,
): { label: string; rows: Row[] }[] {
  const groups = Map.groupBy(rows, (row) => describeDay(getDayOf(Date.parse(row.last_message_at)), now))
  return [...groups].map(([label, members]) => ({ label, rows: members }))
}

/** `day` is a date such as "2026-11-21". */
function describeDay(day: string, now: number): string {
  const days = -countDaysUntil(day, now)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return days <= recentDays ? 'Last 7 days' : formatMonth(day, now)
}

/** "October", or "October 2025" in another year. */
function formatMonth(day: string, now: number): string {
  const isThisYear = day.slice(0, 4) === getToday(now).slice(0, 4)
  const year = isThisYear ? {} : ({ year: 'numeric' } as const)
  return new Intl.DateTimeFormat('en', { month: 'long', ...year, timeZone: 'UTC' }).format(Date.parse(day))
}

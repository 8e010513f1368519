export type CalendarView = 'month' | 'week' | 'day'

/** The URL parameters of the calendar. Without them it shows the month of today. */
type CalendarParameters = { view?: 'week' | 'day' | undefined; day?: string | undefined }

/** The first and the last day that can be selected, so that the server accepts all days of the shown month. */
const [firstDay, lastDay] = ['2000-03-01', '2199-10-31']

/** Parses the URL parameters of the calendar and drops invalid ones. Without zod, because the code of this file is part of the first load. */
export const parseCalendar = ({ view, day }: Record<string, unknown>): CalendarParameters => ({
  ...((view === 'week' || view === 'day') && { view }),
  ...(isDay(day) && { day }),
})

const isDay = (day: unknown): day is string =>
  typeof day === 'string' && day >= firstDay && day <= lastDay && toInstantText(`${day}T00:00:00Z`)?.slice(0, 10) === day

/** Converts an instant to the format of the server, UTC with milliseconds; undefined if it is not a valid instant. */
export function toInstantText(text: unknown): string | undefined {
  const ms = typeof text === 'string' ? Date.parse(text) : NaN
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

import * as z from 'zod/mini'

export type CalendarView = 'month' | 'week' | 'day'

/** The URL parameters of the calendar. Without them it shows the month of today. */
export type CalendarParameters = { view?: 'week' | 'day' | undefined; day?: string | undefined }

const CalendarDay = z.iso.date().check(z.refine((day) => day >= '2000-03-01' && day <= '2199-10-31'))

/** Parses the URL parameters of the calendar and drops invalid ones. */
export const parseCalendar = ({ view, day }: Record<string, unknown>): CalendarParameters => {
  const date = z.safeParse(CalendarDay, day).data
  return { ...((view === 'week' || view === 'day') && { view }), ...(date && { day: date }) }
}

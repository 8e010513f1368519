import type { TestApp } from './app.ts'

/** Returns the time this number of days from now. */
export const later = (days: number): Date => new Date(Date.now() + days * 24 * 60 * 60 * 1000)

/**
 * Runs the purge of the journal and then a schedule that cleans, as they run this number of days from now. A test file calls this once with
 * more than 30 days, because at the end of a month that purge is the last one of the partition of this month.
 */
export async function cleanLater(app: TestApp, schedule: string, days: number): Promise<void> {
  await app.runSchedule('journal purge', later(days))
  await app.runSchedule(schedule, later(days))
}

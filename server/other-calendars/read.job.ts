// The job that reads a calendar. A schedule adds it for each calendar that is due.
import type pg from 'pg'
import type { Caller } from '#server/platform/database/transaction.ts'
import { createJobHandler, type JobHandler } from '#server/platform/jobs/handler.ts'
import { deleteOrphans } from '#server/platform/journal/orphans.ts'
import { unsealAddress } from './calendars.ts'
import * as store from './calendars.store.ts'
import { CalendarFailure } from './failure.ts'
import { readCalendarJob } from './job-type.ts'
import { loadCalendar, readPauseMs, type CalendarServices } from './load.ts'

const maxPauseMs = 6 * 60 * 60_000
/** The pause after a failed attempt, by the number of failures before it: 15 minutes, half an hour, ... and at most 6 hours. */
const pauseMsAfter = (earlierFailures: number): number => Math.min(maxPauseMs, readPauseMs * 2 ** Math.min(earlierFailures, 20))

const lostAddress = 'The address was encrypted with another key of this server. Remove the calendar and add it again.'

export const createReadCalendarJobHandler = (services: CalendarServices): JobHandler =>
  createJobHandler(readCalendarJob, ({ caller, payload }, signal) => readCalendar(services, caller, payload.calendar, signal))

async function readCalendar(services: CalendarServices, caller: Caller, id: string, signal: AbortSignal): Promise<void> {
  const { database, now, installationKey } = services
  const { owner } = caller
  const [stored, bookingWindow] = await database.read(caller, () =>
    Promise.all([store.findCalendar(owner, id), store.readBookingWindow(owner)]),
  )
  if (!stored) return
  const after = (pauseMs: number): Date => new Date(now().getTime() + pauseMs)
  try {
    const address = unsealAddress(installationKey, owner, stored)
    if (address === undefined) throw new CalendarFailure(lostAddress)
    const loaded = await loadCalendar(services, caller, { address, bookingWindow, stored }, signal)
    await database.transaction(caller, '', () =>
      loaded
        ? store.storeBusyTimes(owner, id, loaded, now(), after(readPauseMs))
        : store.storeUnchanged(owner, id, now(), after(readPauseMs)),
    )
  } catch (error) {
    if (!(error instanceof CalendarFailure)) throw error
    await database.transaction(caller, '', () => store.storeProblem(owner, id, error.message, after(pauseMsAfter(stored.failures))))
  }
}

/** Returns whether a calendar is due. `tableOwner` connects as the role that owns the tables. */
export async function hasDueCalendars(tableOwner: pg.Pool, now: Date): Promise<boolean> {
  const { rowCount } = await tableOwner.query(
    `select from other_calendar_sources s
     where s.next_read_at <= $1 and exists (select from other_calendars c where c.user_id = s.user_id and c.id = s.id) limit 1`,
    [now],
  )
  return rowCount !== 0
}

/** Adds a job for each calendar that is due. `tableOwner` connects as the role that owns the tables. */
export async function enqueueDueCalendars(tableOwner: pg.Pool, now: Date): Promise<void> {
  await tableOwner.query('select app.enqueue_due_calendars($1, $2)', [now, readCalendarJob.name])
}

/** Deletes the addresses and busy times of calendars that were removed and cannot be restored by an undo. */
export const deleteDataOfRemoved = (tableOwner: pg.Pool): Promise<void> =>
  deleteOrphans(tableOwner, { table: 'other_calendar_sources', column: 'id', parent: 'other_calendars' })

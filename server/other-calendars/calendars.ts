import { maxOtherCalendars, type NewOtherCalendar, type OtherBusyTime, type OtherCalendar } from '#contract/otherCalendars.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { enqueue } from '#server/platform/jobs/enqueue.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { createSeal } from '#server/platform/security/seal.ts'
import { toFirstInstant, toLocalTime } from '#server/platform/time/local-time.ts'
import { isTimezone } from '#server/platform/time/zones.ts'
import * as store from './calendars.store.ts'
import { isSafeAddress, normalizeAddress } from './download.ts'
import { CalendarFailure } from './failure.ts'
import { readCalendarJob } from './job-type.ts'
import { loadCalendar, readPauseMs, type CalendarServices } from './load.ts'

/** Returns the calendars, oldest first. Reads in the open transaction. */
export async function listCalendars(services: Pick<CalendarServices, 'now'>, owner: string): Promise<OtherCalendar[]> {
  return (await store.readCalendars(owner)).map((calendar) => addIsDue(services, calendar))
}

/** Returns a calendar. Throws `not_found`. Reads in the open transaction. */
export async function getCalendar(services: Pick<CalendarServices, 'now'>, owner: string, id: string): Promise<OtherCalendar> {
  const calendar = await store.findCalendar(owner, id)
  if (!calendar) throw new Refusal('not_found')
  return addIsDue(services, calendar)
}

const addIsDue = ({ now }: Pick<CalendarServices, 'now'>, calendar: store.StoredCalendar): OtherCalendar => ({
  ...calendar,
  is_due: Date.parse(calendar.next_read_at) <= now().getTime(),
})

/**
 * Adds a calendar with its busy times. Reads it first if `check` is true; otherwise a job reads it later. Throws `invalid` with a sentence
 * at the field that is wrong, and for a calendar that was added already.
 */
export async function addCalendar(
  services: CalendarServices,
  caller: Caller,
  { name, address: entered, check }: NewOtherCalendar,
  signal: AbortSignal,
): Promise<OtherCalendar> {
  const { database, installationKey, now } = services
  const { owner } = caller
  const address = checkAddress(services, entered)
  await database.read(caller, () => refuseDuplicateOrSurplus(installationKey, owner, address))
  const loaded = check ? await tryCalendar(services, caller, address.href, signal) : undefined
  const id = newId()
  await database.transaction(caller, 'Added calendar', async () => {
    await store.lockCalendars()
    await refuseDuplicateOrSurplus(installationKey, owner, address)
    const sealed_address = sealAddress(installationKey, owner, id, address.href)
    await store.insertCalendar(owner, { id, name, host: address.host, sealed_address, next_read_at: now() })
    if (loaded) await store.storeBusyTimes(owner, id, loaded, now(), new Date(now().getTime() + readPauseMs))
    else await enqueue(readCalendarJob, { calendar: id }, { key: id })
  })
  return database.read(caller, () => getCalendar(services, owner, id))
}

function checkAddress(services: CalendarServices, entered: string): URL {
  const address = new URL(normalizeAddress(entered))
  address.hash = ''
  const refuse = (message: string): never => {
    throw new Refusal('invalid', { fields: { address: message } })
  }
  if (address.username !== '' || address.password !== '') return refuse('Enter an address without a user name and a password')
  return isSafeAddress(services, address) ? address : refuse('Enter an address that begins with https:// or webcal://')
}

async function tryCalendar(services: CalendarServices, caller: Caller, address: string, signal: AbortSignal): Promise<store.ReadResult> {
  try {
    const bookingWindow = await services.database.read(caller, () => store.readBookingWindow(caller.owner))
    const loaded = await loadCalendar(services, caller, { address, bookingWindow }, signal)
    if (!loaded) throw new Error('A first read returns the whole calendar')
    return loaded
  } catch (error) {
    if (!(error instanceof CalendarFailure)) throw error
    throw new Refusal('invalid', { fields: { address: error.message } }, error)
  }
}

/** Throws `invalid` if the calendar was added already, or if the owner has the maximum number of calendars. */
async function refuseDuplicateOrSurplus(installationKey: string, owner: string, address: URL): Promise<void> {
  const calendars = await store.readCalendars(owner)
  if (calendars.some((calendar) => unsealAddress(installationKey, owner, calendar) === address.href))
    throw new Refusal('invalid', { fields: { address: 'This calendar was added already' } })
  if (calendars.length >= maxOtherCalendars)
    throw new Refusal('invalid', { fields: { address: `At most ${maxOtherCalendars} calendars. Remove one first` } })
}

/** Removes a calendar, so that visitors can book its busy times. Throws `not_found`. */
export async function removeCalendar({ database }: CalendarServices, caller: Caller, id: string): Promise<void> {
  await database.transaction(caller, 'Removed calendar', async () => {
    if (!(await store.deleteCalendar(caller.owner, id))) throw new Refusal('not_found')
  })
}

/** Adds a job that reads the calendar. Throws `not_found`. */
export async function enqueueRead(services: CalendarServices, caller: Caller, id: string): Promise<OtherCalendar> {
  const { database, now } = services
  const { owner } = caller
  await database.read(caller, () => getCalendar(services, owner, id))
  await database.transaction(caller, '', async () => {
    await store.setDue(owner, id, now())
    await enqueue(readCalendarJob, { calendar: id }, { key: id })
  })
  return database.read(caller, () => getCalendar(services, owner, id))
}

/** Reads the busy times that overlap the days from `from` until before `to` in the owner's time zone. Reads in the open transaction. */
export async function listBusyTimes(owner: string, { from, to }: { from: string; to: string }): Promise<OtherBusyTime[]> {
  const bookingWindow = await store.readBookingWindow(owner)
  const timezone = isTimezone(bookingWindow.timezone) ? bookingWindow.timezone : 'UTC'
  const toInstant = (day: string): Date => new Date(toFirstInstant(timezone, day, 0))
  const toLocal = (instant: string): string => {
    const { date, time } = toLocalTime(timezone, Date.parse(instant))
    return `${date}T${time}`
  }
  const rows = await store.readBusyRows(owner, toInstant(from), toInstant(to))
  return rows.map((row) => ({ ...row, local_start: toLocal(row.start_time), local_end: toLocal(row.end_time) }))
}

const createAddressSeal = (installationKey: string) => createSeal(installationKey, 'addresses of other calendars')

const sealAddress = (installationKey: string, owner: string, id: string, address: string): string =>
  createAddressSeal(installationKey).seal(address, [owner, id])

/** Returns the address of a calendar; undefined if it was sealed with another key of the installation. */
export const unsealAddress = (
  installationKey: string,
  owner: string,
  { id, sealed_address }: Pick<store.StoredCalendar, 'id' | 'sealed_address'>,
): string | undefined => createAddressSeal(installationKey).unseal(sealed_address, [owner, id])

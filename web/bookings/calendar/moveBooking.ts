import { bookingRoutes, type Booking } from '#contract/bookings.ts'
import { recordKinds } from '#contract/kinds.ts'
import { callForChange, ProblemError } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { createStore } from '#web/lib/store.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import { announceSaved } from '#web/records/form/recordForm.ts'
import { formatBookingTime, type Zone } from '../zone.ts'

const { table } = recordKinds.booking

/** The start and the end of a booking in ms. */
export type Times = { start: number; end: number }

/** The times of moved bookings that are not saved yet, by id. The calendar shows them at once. */
export const unsavedTimes = createStore<ReadonlyMap<string, Times>>(new Map())

/**
 * The running or waiting save of each moved booking, by id: the last one. Resolves with the version of the booking after it, or after the
 * last one that succeeded.
 */
const saves = new Map<string, Promise<number>>()

type Move = { booking: { id: string; title: string; version: number }; times: Times; zone: Zone }

/** Moves or lengthens a booking, and shows its new times at once. A failure puts it back and shows a toast with the reason. */
export function moveBooking(move: Move): void {
  const { booking, times } = move
  unsavedTimes.set(new Map(unsavedTimes.get()).set(booking.id, times))
  saves.set(booking.id, saveMove(move, saves.get(booking.id) ?? Promise.resolve(booking.version)))
}

/**
 * Saves a move after the previous save of the same booking has finished, so that the last one wins. Sends the version that the user has
 * seen, so that a move by another person is not overwritten. Returns the version after the save.
 */
async function saveMove({ booking: { id, title, version }, times, zone }: Move, previousSave: Promise<number>): Promise<number> {
  let savedVersion = await previousSave
  const body = {
    start_time: new Date(times.start).toISOString(),
    end_time: new Date(times.end).toISOString(),
    version: Math.max(version, savedVersion),
  }
  try {
    const { response, changeId } = await callForChange(bookingRoutes.update, { params: { id }, body })
    savedVersion = response.version
    await showMoved(response, changeId, zone)
  } catch (error) {
    showFailure(error, title)
    await refreshTables([table])
  }
  if (unsavedTimes.get().get(id) !== times) return savedVersion // a later move is not saved yet
  saves.delete(id)
  unsavedTimes.set(new Map([...unsavedTimes.get()].filter(([each]) => each !== id)))
  return savedVersion
}

function showMoved(response: Booking, changeId: string | undefined, zone: Zone): Promise<void> {
  const message = formatBookingTime(zone, response.start_time, response.end_time)
  return announceSaved(response, { singular: recordKinds.booking.singular, table, outcome: 'updated', changeId, message })
}

/** Shows the error of a field if the server sent one, for example that another booking takes the time. */
function showFailure(error: unknown, title: string): void {
  const fields = error instanceof ProblemError ? error.problem.fields : undefined
  const [reason] = Object.values(fields ?? {})
  const failure = `“${title}” was not moved`
  if (reason) toast({ kind: 'error', title: failure, message: reason })
  else toastError(error, failure)
}

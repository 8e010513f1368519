import { bookingRoutes } from '#contract/bookings.ts'
import { recordKinds } from '#contract/kinds.ts'
import { callForChange } from '#web/lib/client.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { toastError } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import { getStatusLabel, type BookingStatus } from './statuses.ts'

const { table } = recordKinds.booking

/** Sets the status of a booking. Shows a toast with Undo. */
export async function setStatus(id: string, status: BookingStatus): Promise<void> {
  try {
    const { response, changeId } = await callForChange(bookingRoutes.update, { params: { id }, body: { status } })
    toastChange(status === 'cancelled' ? 'Booking cancelled' : `Booking set to ${getStatusLabel(status)}`, changeId)
    queries.setQueryData(recordKeys(table).one(id), response)
  } catch (error) {
    toastError(error)
  }
  await refreshTables([table])
}

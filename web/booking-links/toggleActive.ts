import { bookingLinkRoutes } from '#contract/bookingLinks.ts'
import { recordKinds } from '#contract/kinds.ts'
import { callForChange } from '#web/lib/client.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { toastError } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'
import { recordKeys } from '#web/records/kind/queries.ts'

const { table } = recordKinds['booking link']

/** Activates or deactivates a booking link. Shows a toast with Undo. */
export async function toggleActive({ id, is_active }: { id: string; is_active: boolean }): Promise<void> {
  try {
    const { response, changeId } = await callForChange(bookingLinkRoutes.update, { params: { id }, body: { is_active: !is_active } })
    toastChange(response.is_active ? 'Booking link activated' : 'Booking link deactivated', changeId)
    queries.setQueryData(recordKeys(table).one(id), response)
  } catch (error) {
    toastError(error)
  }
  await refreshTables([table])
}

import { bookingStatuses } from '#contract/bookings.ts'

export type BookingStatus = (typeof bookingStatuses)[number]

const statusLabels: Record<BookingStatus, string> = {
  confirmed: 'Confirmed',
  cancelled: 'Cancelled',
  completed: 'Completed',
  'no-show': 'No-show',
}

export const statusChoices = bookingStatuses.map((value) => ({ value, label: statusLabels[value] }))

export const getStatusLabel = (status: BookingStatus): string => statusLabels[status]

/** Describes the change of a status in the timeline of a linked record: "set to Completed". Returns undefined for other fields. */
export function describeStatusChange({ name, after }: { name: string; after?: unknown }): string | undefined {
  if (name !== 'status') return undefined
  if (after === 'cancelled') return 'cancelled'
  const status = bookingStatuses.find((each) => each === after)
  return status && `set to ${statusLabels[status]}`
}

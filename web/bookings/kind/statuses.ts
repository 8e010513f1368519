import type { Booking } from '#contract/bookings.ts'

export type BookingStatus = Booking['status']

const statusLabels: Record<BookingStatus, string> = {
  confirmed: 'Confirmed',
  cancelled: 'Cancelled',
  completed: 'Completed',
  'no-show': 'No-show',
}

export const statusChoices = Object.entries(statusLabels).map(([value, label]) => ({ value, label }))

export const getStatusLabel = (status: BookingStatus): string => statusLabels[status]

/** Describes the change of a status in the timeline of a linked record: "set to Completed". Returns undefined for other fields. */
export function describeStatusChange({ name, after }: { name: string; after?: unknown }): string | undefined {
  if (name !== 'status') return undefined
  if (after === 'cancelled') return 'cancelled'
  const label = statusChoices.find(({ value }) => value === after)?.label
  return label && `set to ${label}`
}

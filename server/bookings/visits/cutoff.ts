// The time limit after which visitors can no longer change a booking.

/** Whether a booking with this start begins too soon to be changed. */
export const isPastCutoff = (startTime: string, cutoffMinutes: number, now: Date): boolean =>
  Date.parse(startTime) - now.getTime() < cutoffMinutes * 60_000

/** Returns the limit of a link as `1 day`; empty if its bookings can be changed until their start. */
export const formatCutoff = (minutes: number): string => (minutes === 0 ? '' : formatDuration(minutes))

/** Returns a duration as `3 days`, `36 hours` or `90 minutes`: in the largest unit of which it is a multiple. */
function formatDuration(minutes: number): string {
  const units = [
    ['day', 24 * 60],
    ['hour', 60],
    ['minute', 1],
  ] as const
  const [name, size] = units.find(([, each]) => minutes % each === 0) ?? units[2]
  return `${minutes / size} ${name}${minutes === size ? '' : 's'}`
}

import { getStatusLabel, type BookingStatus } from './statuses.ts'
import classes from './StatusBadge.module.css'

/** The status of a booking. A confirmed one has a primary badge, others a secondary one. */
export const StatusBadge = ({ status }: { status: BookingStatus }) => (
  <span className={classes['badge']} data-primary={status === 'confirmed' || undefined}>
    {getStatusLabel(status)}
  </span>
)

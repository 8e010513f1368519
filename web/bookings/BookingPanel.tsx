import { Button } from '@mantine/core'
import {
  IconAddressBook,
  IconAlignLeft,
  IconArrowBackUp,
  IconCalendarEvent,
  IconCalendarShare,
  IconCalendarX,
  IconCheck,
  IconFlag,
  IconMail,
  IconNote,
  IconPhone,
  IconUser,
  IconUserOff,
  IconWorld,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Booking } from '#contract/bookings.ts'
import type { Icon } from '#web/lib/features.ts'
import { EditableFacts, type EditableFact } from '#web/records/panel/EditableFacts.tsx'
import { RecordPanel } from '#web/records/panel/RecordPanel.tsx'
import { AnswerList } from './AnswerList.tsx'
import { bookingInputs } from './kind/bookingInputs.tsx'
import { bookingKind } from './kind/bookingKind.tsx'
import { setStatus } from './kind/setStatus.ts'
import { StatusBadge } from './kind/StatusBadge.tsx'
import type { BookingStatus } from './kind/statuses.ts'
import classes from './bookings.module.css'
import { formatBookingTime, useZone } from './zone.ts'

const facts: readonly EditableFact<Booking>[] = [
  {
    fields: ['start_time', 'end_time'],
    icon: IconCalendarEvent,
    label: 'Time',
    render: (booking) => <BookingTime booking={booking} />,
  },
  { fields: ['status'], icon: IconFlag, render: ({ status }) => <StatusBadge status={status} /> },
  {
    fields: ['contact_id'],
    icon: IconAddressBook,
    render: ({ contact_id, contact_name }) =>
      contact_id && (
        <Link to="/crm/contacts/$id" params={{ id: contact_id }} className="link">
          {contact_name}
        </Link>
      ),
  },
  { fields: ['attendee_name'], icon: IconUser },
  { fields: ['attendee_email'], icon: IconMail },
  { fields: ['attendee_phone'], icon: IconPhone },
  {
    fields: ['booking_link_id'],
    icon: IconCalendarShare,
    render: ({ booking_link_id, booking_link_title }) =>
      booking_link_id && (
        <Link to="/bookings/links/$id" params={{ id: booking_link_id }} className="link">
          {booking_link_title}
        </Link>
      ),
  },
  { fields: ['timezone'], icon: IconWorld, label: 'Time zone', render: ({ timezone }) => timezone.replaceAll('_', ' ') },
  { fields: ['notes'], icon: IconNote, isWide: true },
  { fields: ['description'], icon: IconAlignLeft, isWide: true },
]

/** The panel of a booking, which opens over the calendar. */
export const BookingPanel = () => (
  <RecordPanel kind={bookingKind} inputs={bookingInputs} titleField="title">
    {(booking) => (
      <>
        <div className={classes['statusButtons']}>
          {statusButtons[booking.status].map(({ status, label, icon: ButtonIcon }) => (
            <Button
              key={status}
              variant="default"
              leftSection={<ButtonIcon size={16} stroke={1.75} />}
              onClick={() => void setStatus(booking.id, status)}
            >
              {label}
            </Button>
          ))}
        </div>
        <EditableFacts kind={bookingKind} record={booking} inputs={bookingInputs} facts={facts} />
        {booking.answers && (
          <section className={classes['answers']} aria-labelledby="booking-answers">
            <h3 id="booking-answers">Answers</h3>
            <AnswerList answers={booking.answers} />
          </section>
        )}
      </>
    )}
  </RecordPanel>
)

type StatusButton = { status: BookingStatus; label: string; icon: Icon }

const confirmAgain: readonly StatusButton[] = [{ status: 'confirmed', label: 'Confirm again', icon: IconArrowBackUp }]

/** The buttons of a booking, by its current status. */
const statusButtons: Record<BookingStatus, readonly StatusButton[]> = {
  confirmed: [
    { status: 'completed', label: 'Completed', icon: IconCheck },
    { status: 'no-show', label: 'No-show', icon: IconUserOff },
    { status: 'cancelled', label: 'Cancel booking', icon: IconCalendarX },
  ],
  cancelled: confirmAgain,
  completed: confirmAgain,
  'no-show': confirmAgain,
}

function BookingTime({ booking: { start_time, end_time } }: { booking: Booking }) {
  const zone = useZone()
  return <time dateTime={start_time}>{formatBookingTime(zone, start_time, end_time)}</time>
}

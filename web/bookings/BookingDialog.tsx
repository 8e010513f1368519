import { getRouteApi } from '@tanstack/react-router'
import type { Booking } from '#contract/bookings.ts'
import { useSession } from '#web/lib/session.ts'
import { FieldInput } from '#web/records/form/FieldInput.tsx'
import { createKindFields } from '#web/records/form/FieldsEditor.tsx'
import { AddDialog, EditDialog } from '#web/records/form/RecordDialog.tsx'
import { FieldPair } from '#web/records/form/RecordInputs.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { useState } from 'react'
import { bookingInputs } from './kind/bookingInputs.tsx'
import { bookingKind } from './kind/bookingKind.tsx'
import { getPrefilledFields, getReturnAddress } from './newBooking.ts'

const newBookingRoute = getRouteApi('/signed-in/bookings/calendar/new')

export function AddBookingDialog() {
  const search = newBookingRoute.useSearch()
  const { timezone } = useSession().profile
  // once, so that the proposed start stays the same while the dialog is open
  const [prefilledFields] = useState(() => getPrefilledFields(search, timezone))
  return (
    <AddDialog kind={bookingKind} prefilledFields={prefilledFields} returnAddress={getReturnAddress(search)}>
      {(editor) => <BookingFieldset editor={editor} />}
    </AddDialog>
  )
}

export const EditBookingDialog = () => (
  <EditDialog kind={bookingKind}>{(editor, booking) => <BookingFieldset editor={editor} booking={booking} />}</EditDialog>
)

function BookingFieldset({ editor, booking }: { editor: RecordEditor; booking?: Booking }) {
  const inputProps = { inputs: bookingInputs, editor, record: booking }
  return (
    <>
      <FieldInput {...inputProps} field="title" />
      <FieldPair isStackedOnPhones>
        <FieldInput {...inputProps} field="start_time" />
        <FieldInput {...inputProps} field="end_time" />
      </FieldPair>
      <FieldInput {...inputProps} field="timezone" />
      <FieldInput {...inputProps} field="contact_id" />
      <FieldInput {...inputProps} field="attendee_name" />
      <FieldPair isStackedOnPhones>
        <FieldInput {...inputProps} field="attendee_email" />
        <FieldInput {...inputProps} field="attendee_phone" />
      </FieldPair>
      <FieldInput {...inputProps} field="booking_link_id" />
      {booking && <FieldInput {...inputProps} field="status" />}
      <FieldInput {...inputProps} field="notes" />
      <FieldInput {...inputProps} field="description" />
    </>
  )
}

/** The fields of bookings with their inputs, for proposals of the assistant. Here, because they need the code of the dialogs. */
export const bookingFields = createKindFields(bookingKind, bookingInputs)

import type { Booking } from '#contract/bookings.ts'
import { bookingLinkRoutes } from '#contract/bookingLinks.ts'
import { contactRoutes } from '#contract/contacts.ts'
import { recordKinds } from '#contract/kinds.ts'
import { queries } from '#web/lib/queries.ts'
import type { FieldInputs } from '#web/records/form/FieldInput.tsx'
import { toText } from '#web/records/form/fields.ts'
import { createLinkInput } from '#web/records/form/LinkField.tsx'
import { ChoiceField, MultilineField, TextField } from '#web/records/form/RecordInputs.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { recordQuery } from '#web/records/kind/queries.ts'
import { InstantField } from './InstantField.tsx'
import { TimezoneField } from './TimezoneField.tsx'
import { statusChoices } from './statuses.ts'

/** The inputs of the fields of a booking. */
export const bookingInputs: FieldInputs<Booking> = {
  title: ({ editor, field }) => <TextField editor={editor} field={field} required data-autofocus maxLength={200} />,
  start_time: InstantField,
  end_time: InstantField,
  contact_id: createLinkInput<Booking>('contact', {
    getSavedLink: ({ contact_id: id, contact_name: title }) => ({ id, title }),
    onSelect: fillAttendee,
  }),
  booking_link_id: createLinkInput<Booking>('booking link', {
    getSavedLink: ({ booking_link_id: id, booking_link_title: title }) => ({ id, title }),
    onSelect: fillTitle,
  }),
  attendee_name: ({ editor, field }) => <TextField editor={editor} field={field} />,
  attendee_email: ({ editor, field }) => <TextField editor={editor} field={field} type="email" inputMode="email" />,
  attendee_phone: ({ editor, field }) => <TextField editor={editor} field={field} type="tel" />,
  notes: ({ editor, field }) => <MultilineField editor={editor} field={field} />,
  description: ({ editor, field }) => <MultilineField editor={editor} field={field} />,
  timezone: TimezoneField,
  status: ({ editor, field }) => <ChoiceField editor={editor} field={field} required choices={statusChoices} />,
}

const contacts = { ...recordKinds.contact, routes: contactRoutes }
const links = { ...recordKinds['booking link'], routes: bookingLinkRoutes }

/**
 * Fills the empty fields of the attendee from the selected contact. They stay empty if the contact cannot be loaded, or if the user has
 * selected another one meanwhile.
 */
async function fillAttendee(editor: RecordEditor, contactId: string | null): Promise<void> {
  const contact = contactId ? await queries.ensureQueryData(recordQuery(contacts, contactId)).catch(() => undefined) : undefined
  if (!contact || editor.form.getValues()['contact_id'] !== contactId) return
  fillEmpty(editor, 'attendee_name', `${contact.first_name} ${contact.last_name}`.trim())
  fillEmpty(editor, 'attendee_email', contact.email)
  fillEmpty(editor, 'attendee_phone', contact.phone || contact.mobile_phone)
}

/** Fills an empty title from the selected booking link. */
async function fillTitle(editor: RecordEditor, linkId: string | null): Promise<void> {
  const link = linkId ? await queries.ensureQueryData(recordQuery(links, linkId)).catch(() => undefined) : undefined
  if (link && editor.form.getValues()['booking_link_id'] === linkId) fillEmpty(editor, 'title', link.title)
}

/** Sets a field if it is empty. Does nothing if the form has no such field, for example when another value is edited in place. */
function fillEmpty({ form, labels }: RecordEditor, field: string, text: string): void {
  if (field in labels && toText(form.getValues()[field]).trim() === '') form.setFieldValue(field, text)
}

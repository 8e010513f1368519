import { getRouteApi } from '@tanstack/react-router'
import type { BookingLink } from '#contract/bookingLinks.ts'
import { toSlug } from '#contract/slugs.ts'
import { FieldInput } from '#web/records/form/FieldInput.tsx'
import { toText, type FieldValues } from '#web/records/form/fields.ts'
import { createKindFields } from '#web/records/form/FieldsEditor.tsx'
import { AddDialog, EditDialog } from '#web/records/form/RecordDialog.tsx'
import { FieldPair, FieldSection } from '#web/records/form/RecordInputs.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { bookingLinkInputs } from './bookingLinkInputs.tsx'
import { bookingLinkKind } from './bookingLinkKind.tsx'

const newLinkRoute = getRouteApi('/signed-in/bookings/links/new')

export function AddBookingLinkDialog() {
  const { title } = newLinkRoute.useSearch()
  return (
    <AddDialog kind={bookingLinkKind} prefilledFields={title ? { title, slug: toSlug(title) } : {}} completeValues={addMissingSlug}>
      {(editor) => <BookingLinkFieldset editor={editor} />}
    </AddDialog>
  )
}

export const EditBookingLinkDialog = () => (
  <EditDialog kind={bookingLinkKind}>{(editor, link) => <BookingLinkFieldset editor={editor} link={link} />}</EditDialog>
)

/** Generates a missing address from the title. */
const addMissingSlug = (values: FieldValues): FieldValues =>
  toText(values['slug']).trim() === '' ? { ...values, slug: toSlug(toText(values['title'])) } : values

function BookingLinkFieldset({ editor, link }: { editor: RecordEditor; link?: BookingLink }) {
  const inputProps = { inputs: bookingLinkInputs, editor, record: link }
  return (
    <>
      <FieldInput {...inputProps} field="title" />
      <FieldInput {...inputProps} field="slug" />
      <FieldPair isStackedOnPhones>
        <FieldInput {...inputProps} field="duration_minutes" />
        <FieldInput {...inputProps} field="color" />
      </FieldPair>
      <FieldInput {...inputProps} field="description" />
      <FieldSection title="When visitors can book">
        <FieldInput {...inputProps} field="availability" />
        <FieldPair>
          <FieldInput {...inputProps} field="step_minutes" />
          <FieldInput {...inputProps} field="window_days" />
        </FieldPair>
        <FieldPair>
          <FieldInput {...inputProps} field="buffer_before_minutes" />
          <FieldInput {...inputProps} field="buffer_after_minutes" />
        </FieldPair>
      </FieldSection>
      <FieldSection title="Questions">
        <FieldInput {...inputProps} field="questions" />
      </FieldSection>
      <FieldSection title="Limits">
        <FieldPair>
          <FieldInput {...inputProps} field="notice_minutes" />
          <FieldInput {...inputProps} field="cutoff_minutes" />
        </FieldPair>
        <FieldPair>
          <FieldInput {...inputProps} field="max_per_day" />
          <FieldInput {...inputProps} field="max_per_visitor" />
        </FieldPair>
      </FieldSection>
    </>
  )
}

/** The fields of booking links with their inputs, for proposals of the assistant. Here, because they need the code of the dialogs. */
export const bookingLinkFields = createKindFields(bookingLinkKind, bookingLinkInputs)

import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Contact } from '#contract/contacts.ts'
import { FieldInput } from '#web/records/form/FieldInput.tsx'
import type { FieldValues } from '#web/records/form/fields.ts'
import { AddPage, EditPage } from '#web/records/form/RecordFormPage.tsx'
import { FieldPair, FieldSection } from '#web/records/form/RecordInputs.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { linkedRecordQuery } from '#web/records/links/linkChoices.tsx'
import { contactInputs } from './contactInputs.tsx'
import { contactKind } from './contactKind.tsx'
import { parseFields } from './newContact.ts'
import { createKindFields } from '#web/records/form/FieldsEditor.tsx'

const newContactRoute = getRouteApi('/signed-in/crm/contacts/new')

export function AddContactPage() {
  const { name, company } = newContactRoute.useSearch()
  const link = useCompanyLink(company)
  return (
    <AddPage kind={contactKind} prefilledFields={link && { ...parseFields(name), ...link }}>
      {(editor) => <ContactFields editor={editor} />}
    </AddPage>
  )
}

export const EditContactPage = () => (
  <EditPage kind={contactKind}>{(editor, contact) => <ContactFields editor={editor} contact={contact} />}</EditPage>
)

/**
 * Returns the initial values that link a new contact to a company. Returns undefined until the company is loaded, and no values if the
 * company does not exist.
 */
function useCompanyLink(id = ''): FieldValues | undefined {
  const { data: company, isPending } = useQuery({ ...linkedRecordQuery('company', id), enabled: id !== '' })
  if (id !== '' && isPending) return undefined
  return company ? { company: company.title, company_id: id } : {}
}

function ContactFields({ editor, contact }: { editor: RecordEditor; contact?: Contact }) {
  const inputProps = { inputs: contactInputs, editor, record: contact }
  return (
    <>
      <FieldSection title="Basic Information">
        <FieldPair>
          <FieldInput {...inputProps} field="first_name" />
          <FieldInput {...inputProps} field="last_name" />
        </FieldPair>
      </FieldSection>
      <FieldSection title="Contact Details">
        <FieldInput {...inputProps} field="email" />
        <FieldInput {...inputProps} field="phone" />
        <FieldInput {...inputProps} field="mobile_phone" />
      </FieldSection>
      <FieldSection title="Professional Information">
        <FieldPair isStackedOnPhones>
          <FieldInput {...inputProps} field="company" />
          <FieldInput {...inputProps} field="title" />
        </FieldPair>
        <FieldInput {...inputProps} field="department" />
        <FieldInput {...inputProps} field="reports_to_id" />
      </FieldSection>
      <FieldSection title="Mailing Address">
        <FieldInput {...inputProps} field="mailing_street" />
        <FieldPair>
          <FieldInput {...inputProps} field="mailing_city" />
          <FieldInput {...inputProps} field="mailing_postal_code" />
        </FieldPair>
        <FieldPair>
          <FieldInput {...inputProps} field="mailing_state" />
          <FieldInput {...inputProps} field="mailing_country" />
        </FieldPair>
      </FieldSection>
      <FieldSection title="Additional Information">
        <FieldInput {...inputProps} field="lead_source" />
        <FieldInput {...inputProps} field="tags" />
        <FieldInput {...inputProps} field="description" />
      </FieldSection>
    </>
  )
}

/** The fields of contacts and their inputs, for the proposals of the assistant. They need the same code as the form in this module. */
export const contactFields = createKindFields(contactKind, contactInputs)

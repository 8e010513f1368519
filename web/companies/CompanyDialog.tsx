import { getRouteApi } from '@tanstack/react-router'
import type { Company } from '#contract/companies.ts'
import { FieldInput } from '#web/records/form/FieldInput.tsx'
import { toText } from '#web/records/form/fields.ts'
import { AddDialog, EditDialog } from '#web/records/form/RecordDialog.tsx'
import { FieldPair } from '#web/records/form/RecordInputs.tsx'
import { useAfterSave, type RecordEditor, type SavedValues } from '#web/records/form/useRecordEditor.ts'
import { companyInputs } from './companyInputs.tsx'
import { companyKind } from './companyKind.tsx'
import { offerContacts } from './linkContacts.ts'
import { createKindFields } from '#web/records/form/FieldsEditor.tsx'

const newCompanyRoute = getRouteApi('/signed-in/crm/companies/new')

export function AddCompanyDialog() {
  const { name } = newCompanyRoute.useSearch()
  return (
    <AddDialog kind={companyKind} prefilledFields={name ? { name } : {}}>
      {(editor) => <CompanyFieldset editor={editor} />}
    </AddDialog>
  )
}

export const EditCompanyDialog = () => (
  <EditDialog kind={companyKind}>{(editor, company) => <CompanyFieldset editor={editor} company={company} />}</EditDialog>
)

/** After a save that has changed the name, offers to link the contacts that have this name as text. */
function offerSavedName({ id, values, before }: SavedValues): void {
  const name = toText(values['name'])
  if (name !== before['name']) void offerContacts({ id, name })
}

function CompanyFieldset({ editor, company }: { editor: RecordEditor; company?: Company }) {
  useAfterSave(editor, offerSavedName)
  const inputProps = { inputs: companyInputs, editor, record: company }
  return (
    <>
      <FieldInput {...inputProps} field="name" />
      <FieldPair>
        <FieldInput {...inputProps} field="industry" />
        <FieldInput {...inputProps} field="employees_count" />
      </FieldPair>
      <FieldInput {...inputProps} field="website" />
      <FieldPair>
        <FieldInput {...inputProps} field="phone" />
        <FieldInput {...inputProps} field="email" />
      </FieldPair>
      <FieldInput {...inputProps} field="tags" />
    </>
  )
}

/** The fields of companies and their inputs, for the proposals of the assistant. They need the same code as the form in this module. */
export const companyFields = createKindFields(companyKind, companyInputs)

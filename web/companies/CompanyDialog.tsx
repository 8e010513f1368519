import { getRouteApi } from '@tanstack/react-router'
import type { Company } from '#contract/companies.ts'
import { FieldInput } from '#web/records/form/FieldInput.tsx'
import { AddDialog, EditDialog } from '#web/records/form/RecordDialog.tsx'
import { FieldPair } from '#web/records/form/RecordInputs.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { companyInputs } from './companyInputs.tsx'
import { companyKind } from './companyKind.tsx'

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

function CompanyFieldset({ editor, company }: { editor: RecordEditor; company?: Company }) {
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

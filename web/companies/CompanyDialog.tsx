import { getRouteApi } from '@tanstack/react-router'
import { AddDialog, EditDialog } from '#web/records/form/RecordDialog.tsx'
import { NumberField, FieldPair, TextField } from '#web/records/form/RecordInputs.tsx'
import { TagsField } from '#web/records/form/TagsField.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
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

export const EditCompanyDialog = () => <EditDialog kind={companyKind}>{(editor) => <CompanyFieldset editor={editor} />}</EditDialog>

const CompanyFieldset = ({ editor }: { editor: RecordEditor }) => (
  <>
    <TextField editor={editor} field="name" required data-autofocus />
    <FieldPair>
      <TextField editor={editor} field="industry" />
      <NumberField editor={editor} field="employees_count" inputMode="numeric" />
    </FieldPair>
    <TextField editor={editor} field="website" type="url" placeholder="https://" />
    <FieldPair>
      <TextField editor={editor} field="phone" type="tel" />
      <TextField editor={editor} field="email" type="email" inputMode="email" />
    </FieldPair>
    <TagsField editor={editor} kind={companyKind} />
  </>
)

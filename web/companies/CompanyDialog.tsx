import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { companyRoutes } from '#contract/companies.ts'
import { AddDialog, EditDialog } from '#web/records/form/RecordDialog.tsx'
import { NumberField, Pair, TextField } from '#web/records/form/RecordInputs.tsx'
import { TagsField } from '#web/records/form/TagsField.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { companyKind } from './companyKind.ts'
import { companyPlace } from './companyPlace.ts'
import { companiesTable, companyQuery } from './queries.ts'

const { path } = companyPlace
const adding = getRouteApi('/signed-in/crm/companies/new')
const editing = getRouteApi('/signed-in/crm/companies/$id/edit')

export function AddCompanyDialog() {
  const { name } = adding.useSearch()
  return (
    <AddDialog kind={companyKind} path={path} prefilled={name ? { name } : {}}>
      {(editor) => <CompanyFieldset editor={editor} />}
    </AddDialog>
  )
}

export function EditCompanyDialog() {
  const { id } = editing.useParams()
  return (
    <EditDialog kind={companyKind} path={path} record={useQuery(companyQuery(id))}>
      {(editor) => <CompanyFieldset editor={editor} />}
    </EditDialog>
  )
}

const CompanyFieldset = ({ editor }: { editor: RecordEditor }) => (
  <>
    <TextField editor={editor} field="name" required data-autofocus />
    <Pair>
      <TextField editor={editor} field="industry" />
      <NumberField editor={editor} field="employees_count" inputMode="numeric" />
    </Pair>
    <TextField editor={editor} field="website" type="url" placeholder="https://" />
    <Pair>
      <TextField editor={editor} field="phone" type="tel" />
      <TextField editor={editor} field="email" type="email" inputMode="email" />
    </Pair>
    <TagsField editor={editor} table={companiesTable} routes={companyRoutes} />
  </>
)

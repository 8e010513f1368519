import { getRouteApi } from '@tanstack/react-router'
import type { Deal } from '#contract/deals.ts'
import { FieldInput } from '#web/records/form/FieldInput.tsx'
import { AddDialog, EditDialog } from '#web/records/form/RecordDialog.tsx'
import { FieldPair } from '#web/records/form/RecordInputs.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { dealInputs } from './dealInputs.tsx'
import { dealKind } from './kind/dealKind.tsx'
import { getReturnAddress, getPrefilledFields } from './newDeal.ts'
import { createKindFields } from '#web/records/form/FieldsEditor.tsx'

const newDealRoute = getRouteApi('/signed-in/crm/deals/new')

export function AddDealDialog() {
  const search = newDealRoute.useSearch()
  return (
    <AddDialog kind={dealKind} prefilledFields={getPrefilledFields(search)} returnAddress={getReturnAddress(search)}>
      {(editor) => <DealFieldset editor={editor} />}
    </AddDialog>
  )
}

export const EditDealDialog = () => (
  <EditDialog kind={dealKind}>{(editor, deal) => <DealFieldset editor={editor} deal={deal} />}</EditDialog>
)

function DealFieldset({ editor, deal }: { editor: RecordEditor; deal?: Deal }) {
  const inputProps = { inputs: dealInputs, editor, record: deal }
  return (
    <>
      <FieldInput {...inputProps} field="title" />
      <FieldPair>
        <FieldInput {...inputProps} field="stage" />
        <FieldInput {...inputProps} field="value" />
      </FieldPair>
      <FieldPair>
        <FieldInput {...inputProps} field="probability" />
        <FieldInput {...inputProps} field="expected_close_date" />
      </FieldPair>
      <FieldInput {...inputProps} field="contact_id" />
      <FieldInput {...inputProps} field="company_id" />
      <FieldInput {...inputProps} field="tags" />
      <FieldInput {...inputProps} field="description" />
    </>
  )
}

/** The fields of deals and their inputs, for the proposals of the assistant. They need the same code as the form in this module. */
export const dealFields = createKindFields(dealKind, dealInputs)

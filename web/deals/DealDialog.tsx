import { getRouteApi } from '@tanstack/react-router'
import { contactRoutes } from '#contract/contacts.ts'
import type { Deal } from '#contract/deals.ts'
import { stageProbabilities } from '#contract/stages.ts'
import { recordKinds } from '#contract/kinds.ts'
import { queries } from '#web/lib/queries.ts'
import { useSession } from '#web/lib/session.ts'
import { toText } from '#web/records/form/fields.ts'
import { recordQuery } from '#web/records/kind/queries.ts'
import { LinkField } from '#web/records/form/LinkField.tsx'
import { AddDialog, EditDialog } from '#web/records/form/RecordDialog.tsx'
import { ChoiceField, DateField, NumberField, FieldPair, MultilineField, TextField } from '#web/records/form/RecordInputs.tsx'
import { TagsField } from '#web/records/form/TagsField.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { dealKind } from './kind/dealKind.tsx'
import { getReturnAddress, getPrefilledFields } from './newDeal.ts'
import { isStage, stageChoices } from './kind/stages.ts'

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
  const { currency } = useSession().profile
  const stage = toText(editor.form.getValues()['stage'])
  const usualProbability = isStage(stage) ? String(stageProbabilities[stage]) : ''
  return (
    <>
      <TextField editor={editor} field="title" required data-autofocus />
      <FieldPair>
        <ChoiceField editor={editor} field="stage" required choices={stageChoices} />
        <NumberField editor={editor} field="value" leftSection={<Unit>{currency}</Unit>} leftSectionWidth={48} />
      </FieldPair>
      <FieldPair>
        <NumberField editor={editor} field="probability" inputMode="numeric" placeholder={usualProbability} rightSection={<Unit>%</Unit>} />
        <DateField editor={editor} field="expected_close_date" />
      </FieldPair>
      <LinkField
        editor={editor}
        field="contact_id"
        linkedKind="contact"
        savedLink={deal && { id: deal.contact_id, title: deal.contact_name }}
        onSelect={(id) => void fillCompany(editor, id)}
      />
      <LinkField
        editor={editor}
        field="company_id"
        linkedKind="company"
        savedLink={deal && { id: deal.company_id, title: deal.company_name }}
      />
      <TagsField editor={editor} kind={dealKind} />
      <MultilineField editor={editor} field="description" />
    </>
  )
}

const contacts = { ...recordKinds.contact, routes: contactRoutes }

/** Sets the company field to the company of the selected contact, unless the company field has a value. */
async function fillCompany({ form }: RecordEditor, contactId: string | null): Promise<void> {
  if (!contactId || form.getValues()['company_id']) return
  const { company_id } = await queries.ensureQueryData(recordQuery(contacts, contactId)).catch(() => ({ company_id: null }))
  const values = form.getValues() // the user may have changed them while the contact was loading
  if (company_id && values['contact_id'] === contactId && !values['company_id']) form.setFieldValue('company_id', company_id)
}

const Unit = ({ children }: { children: string }) => <span style={{ color: 'var(--f-text-3)', fontSize: 13 }}>{children}</span>

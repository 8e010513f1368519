import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { dealRoutes, stageProbabilities, type Deal } from '#contract/deals.ts'
import { queries } from '#web/lib/queries.ts'
import { useSession } from '#web/lib/session.ts'
import { textOf } from '#web/records/form/fields.ts'
import { LinkField } from '#web/records/form/LinkField.tsx'
import { AddDialog, EditDialog } from '#web/records/form/RecordDialog.tsx'
import { ChoiceField, DateField, NumberField, Pair, ProseField, TextField } from '#web/records/form/RecordInputs.tsx'
import { TagsField } from '#web/records/form/TagsField.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { dealKind } from './dealKind.ts'
import { dealPlace } from './dealPlace.ts'
import { fieldsOf, placeOf } from './newDeal.ts'
import { contactOfDeal, dealQuery, dealsTable } from './queries.ts'
import { isStage, stageChoices } from './stages.ts'

const { path } = dealPlace
const adding = getRouteApi('/signed-in/crm/deals/new')
const editing = getRouteApi('/signed-in/crm/deals/$id/edit')

export function AddDealDialog() {
  const address = adding.useSearch()
  return (
    <AddDialog kind={dealKind} path={path} prefilled={fieldsOf(address)} addedTo={placeOf(address)}>
      {(editor) => <DealFieldset editor={editor} />}
    </AddDialog>
  )
}

export function EditDealDialog() {
  const { id } = editing.useParams()
  return (
    <EditDialog kind={dealKind} path={path} record={useQuery(dealQuery(id))}>
      {(editor, deal) => <DealFieldset editor={editor} deal={deal} />}
    </EditDialog>
  )
}

function DealFieldset({ editor, deal }: { editor: RecordEditor; deal?: Deal }) {
  const { currency } = useSession().profile
  const stage = textOf(editor.form.getValues()['stage'])
  const usual = isStage(stage) ? String(stageProbabilities[stage]) : ''
  return (
    <>
      <TextField editor={editor} field="title" required data-autofocus />
      <Pair>
        <ChoiceField editor={editor} field="stage" required choices={stageChoices} />
        <NumberField editor={editor} field="value" leftSection={<Unit>{currency}</Unit>} leftSectionWidth={48} />
      </Pair>
      <Pair>
        <NumberField editor={editor} field="probability" inputMode="numeric" placeholder={usual} rightSection={<Unit>%</Unit>} />
        <DateField editor={editor} field="expected_close_date" />
      </Pair>
      <LinkField
        editor={editor}
        field="contact_id"
        to="contact"
        saved={deal && { id: deal.contact_id, name: deal.contact_name }}
        onChoose={(id) => void fillCompany(editor, id)}
      />
      <LinkField editor={editor} field="company_id" to="company" saved={deal && { id: deal.company_id, name: deal.company_name }} />
      <TagsField editor={editor} table={dealsTable} routes={dealRoutes} />
      <ProseField editor={editor} field="description" />
    </>
  )
}

/** Where no company is chosen yet, it is that of the contact. */
async function fillCompany({ form }: RecordEditor, contact: string | null): Promise<void> {
  if (!contact || form.getValues()['company_id']) return
  const { company_id } = await queries.ensureQueryData(contactOfDeal(contact)).catch(() => ({ company_id: null }))
  if (company_id && form.getValues()['contact_id'] === contact && !form.getValues()['company_id'])
    form.setFieldValue('company_id', company_id)
}

const Unit = ({ children }: { children: string }) => <span style={{ color: 'var(--f-text-3)', fontSize: 13 }}>{children}</span>

import { contactRoutes } from '#contract/contacts.ts'
import type { Deal } from '#contract/deals.ts'
import { recordKinds } from '#contract/kinds.ts'
import { stageProbabilities } from '#contract/stages.ts'
import { queries } from '#web/lib/queries.ts'
import { useSession } from '#web/lib/session.ts'
import type { FieldInputs } from '#web/records/form/FieldInput.tsx'
import { toText } from '#web/records/form/fields.ts'
import { createLinkInput } from '#web/records/form/LinkField.tsx'
import { ChoiceField, DateField, MultilineField, NumberField, TextField, type FieldProps } from '#web/records/form/RecordInputs.tsx'
import { TagsField } from '#web/records/form/TagsField.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { recordQuery } from '#web/records/kind/queries.ts'
import { dealKind } from './kind/dealKind.tsx'
import { isStage, stageChoices } from './kind/stages.ts'

/** The inputs of the fields of a deal. */
export const dealInputs: FieldInputs<Deal> = {
  title: ({ editor, field }) => <TextField editor={editor} field={field} required data-autofocus />,
  stage: ({ editor, field }) => <ChoiceField editor={editor} field={field} required choices={stageChoices} />,
  value: ValueField,
  probability: ({ editor, field, record }) => (
    <NumberField
      editor={editor}
      field={field}
      inputMode="numeric"
      placeholder={getUsualProbability(editor.form.getValues()['stage'] ?? record?.stage)}
      rightSection={<Unit>%</Unit>}
    />
  ),
  expected_close_date: ({ editor, field }) => <DateField editor={editor} field={field} />,
  contact_id: createLinkInput<Deal>('contact', {
    getSavedLink: ({ contact_id: id, contact_name: title }) => ({ id, title }),
    onSelect: fillCompany,
  }),
  company_id: createLinkInput<Deal>('company', { getSavedLink: ({ company_id: id, company_name: title }) => ({ id, title }) }),
  tags: ({ editor }) => <TagsField editor={editor} kind={dealKind} />,
  description: ({ editor, field }) => <MultilineField editor={editor} field={field} />,
}

function ValueField({ editor, field }: FieldProps) {
  const { currency } = useSession().profile
  return <NumberField editor={editor} field={field} leftSection={<Unit>{currency}</Unit>} leftSectionWidth={48} />
}

const getUsualProbability = (stage: unknown): string => (isStage(stage) ? String(stageProbabilities[stage]) : '')

const contacts = { ...recordKinds.contact, routes: contactRoutes }

/** Sets the company field to the company of the selected contact, unless the form has no company field or the field has a value. */
async function fillCompany({ form }: RecordEditor, contactId: string | null): Promise<void> {
  const isCompanyEmpty = (): boolean => 'company_id' in form.getValues() && toText(form.getValues()['company_id']) === ''
  if (!contactId || !isCompanyEmpty()) return
  const { company_id } = await queries.ensureQueryData(recordQuery(contacts, contactId)).catch(() => ({ company_id: null }))
  const isStillSelected = form.getValues()['contact_id'] === contactId // the user may have changed it while the contact was loading
  if (company_id && isStillSelected && isCompanyEmpty()) form.setFieldValue('company_id', company_id)
}

const Unit = ({ children }: { children: string }) => <span style={{ color: 'var(--f-text-3)', fontSize: 13 }}>{children}</span>

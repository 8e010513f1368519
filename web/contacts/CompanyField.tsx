import '#web/ui/choices.css'
import { Autocomplete } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { LinkChoice } from '#web/lib/features.ts'
import { getFieldsToChoose } from '#web/records/form/conflicts.ts'
import { toText } from '#web/records/form/fields.ts'
import { LinkOption } from '#web/records/form/LinkField.tsx'
import { RecordField } from '#web/records/form/RecordField.tsx'
import { FieldLabel } from '#web/records/form/RecordInputs.tsx'
import { useAfterSave, type RecordEditor, type SavedValues } from '#web/records/form/useRecordEditor.ts'
import { AddOptionLabel, addOptionValue, makeAddOption, useAddRecord } from '#web/records/links/addOption.tsx'
import { renderTitleById, useLinkChoices, useTitledRecords } from '#web/records/links/linkChoices.tsx'
import { onDropdownKeyDown } from '#web/ui/dropdownKeys.ts'
import { offerCompany } from './offerCompany.ts'

const renderCompanyName = renderTitleById('company')

/**
 * The company of a contact: a text field that links to the company with the typed name. A name that no company has is kept as text, and
 * after the save a toast offers to add it as a new company. In a conflict, the user chooses between two names, each with its link.
 */
export function CompanyField({ editor }: { editor: RecordEditor }) {
  const { conflict, labels, form } = editor
  useAfterSave(editor, offerSavedCompany)
  const conflictingField = conflict && getFieldsToChoose(conflict, labels).find((field) => field === 'company' || field === 'company_id')
  if (!conflictingField) return <CompanyInput editor={editor} />
  const renderValue = conflictingField === 'company_id' ? renderCompanyName : undefined
  const typedName = toText(form.getValues()['company'])
  return (
    <RecordField editor={editor} field={conflictingField} renderValue={renderValue} typedValue={typedName || undefined}>
      {null /* `RecordField` shows the two values instead of the input */}
    </RecordField>
  )
}

/** Offers to add a company with the saved name, if this edit has changed the name and has linked no company to the contact. */
function offerSavedCompany({ id, values, before }: SavedValues): void {
  const name = toText(values['company'])
  if (name !== '' && name !== before['company'] && toText(values['company_id']) === '') void offerCompany(id)
}

/** The text field with its suggestions. */
function CompanyInput({ editor }: { editor: RecordEditor }) {
  const { form } = editor
  const { company, company_id } = form.getValues()
  const name = toText(company)
  const isLinked = toText(company_id) !== ''
  const [hasOpened, setHasOpened] = useState(false)
  const { result } = useLinkChoices('company', name, hasOpened)
  const titleSearch = useTitledRecords('company', name, hasOpened && !isLinked)
  const { isAdding, addRecord } = useAddRecord('company')
  /** The companies with exactly this name. */
  const matches = titleSearch?.records ?? []
  const otherChoices = (result.data ?? []).filter(({ id }) => matches.every((match) => match.id !== id))
  const choices = new Map([...matches, ...otherChoices].map((choice) => [choice.id, choice]))
  const options = [...choices.values()].map(({ id, title }) => ({ value: id, label: title }))
  const canAdd = titleSearch !== undefined && matches.length === 0 && !isAdding
  const submittedId = useRef<string>(null) // set by onOptionSubmit, which Mantine calls before onChange; null while typing
  const setCompany = ({ id, title }: LinkChoice): void => {
    form.setFieldValue('company', title)
    form.setFieldValue('company_id', id)
  }
  const add = (): void => {
    if (!canAdd || !titleSearch.byTitle) return
    void addRecord(titleSearch.byTitle, name, (choice) => {
      if (toText(form.getValues()['company']) !== name) return // the user has changed the text meanwhile
      setCompany(choice)
      editor.saveInPlace?.()
    })
  }
  const changeCompany = (newName: string): void => {
    const id = submittedId.current
    submittedId.current = null
    if (id === addOptionValue) return add()
    form.setFieldValue('company', newName)
    form.setFieldValue('company_id', id ?? getSavedLink(editor, newName))
  }
  useLinkToTypedCompany(editor, matches)
  return (
    <Autocomplete
      label={<FieldLabel editor={editor} field="company" />}
      name="company"
      withScrollArea={false}
      maxLength={200}
      data={canAdd ? [...options, makeAddOption(name)] : options}
      filter={(input) => input.options} // the server has already filtered them
      renderOption={({ option }) => {
        const choice = choices.get(option.value)
        if (choice) return <LinkOption title={choice.title} detail={choice.detail} />
        return option.value === addOptionValue && <AddOptionLabel label={makeAddOption(name).label} />
      }}
      rightSection={
        isLinked && (
          <span title="Linked to the company’s record">
            <IconBuilding size={16} stroke={1.75} />
          </span>
        )
      }
      onDropdownOpen={() => setHasOpened(true)}
      {...form.getInputProps('company')}
      error={form.errors['company'] ?? form.errors['company_id']}
      description={!isLinked && matches.length > 1 ? 'Several companies have this name. Choose one from the list.' : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={name}
      onOptionSubmit={(id) => {
        submittedId.current = id
        if (id !== addOptionValue) queueMicrotask(() => editor.saveInPlace?.()) // Mantine calls this function before onChange, which sets the company
      }}
      onChange={changeCompany}
      onKeyDown={onDropdownKeyDown}
    />
  )
}

/** Returns the saved link if the typed name is the saved name, else null. */
function getSavedLink({ startingEdit: { base } }: RecordEditor, name: string): string | null {
  return toText(base['company']).trim() === name.trim() ? toText(base['company_id']) || null : null
}

/** Links to the only company with the typed name. The server does the same for a name that is saved before the company is found. */
function useLinkToTypedCompany({ form, startingEdit: { base } }: RecordEditor, matches: readonly LinkChoice[]): void {
  const [match, ...others] = matches
  const id = others.length === 0 ? match?.id : undefined
  useEffect(() => {
    const isTyped = toText(form.getValues()['company']).trim() !== toText(base['company']).trim()
    if (id !== undefined && isTyped) form.setFieldValue('company_id', id)
    // oxlint-disable-next-line react/exhaustive-deps -- only a new match matters; `form` is new on every render
  }, [id])
}

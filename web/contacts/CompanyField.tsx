import '#web/ui/choices.css'
import { Autocomplete } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { toText } from '#web/records/form/fields.ts'
import { LinkOption } from '#web/records/form/LinkField.tsx'
import { RecordField } from '#web/records/form/RecordField.tsx'
import { FieldLabel } from '#web/records/form/RecordInputs.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { renderTitleById, useLinkChoices } from '#web/records/links/linkChoices.tsx'
import { onDropdownKeyDown } from '#web/ui/dropdownKeys.ts'

const renderCompanyName = renderTitleById('company')

/** A text field for the name of the company. Choosing a suggestion also links the contact to the record of that company. */
export const CompanyField = ({ editor }: { editor: RecordEditor }) => (
  <>
    <RecordField editor={editor} field="company">
      <CompanyInput editor={editor} />
    </RecordField>
    {/* without an input: shown only in a conflict, to choose between the two linked companies */}
    <RecordField editor={editor} field="company_id" renderValue={renderCompanyName}>
      {null}
    </RecordField>
  </>
)

/** The text field with its suggestions. Typing removes the link, even if the typed text is the name of a company. */
function CompanyInput({ editor }: { editor: RecordEditor }) {
  const { form } = editor
  const { company, company_id } = form.getValues()
  const name = toText(company)
  const [hasOpened, setHasOpened] = useState(false)
  const { result } = useLinkChoices('company', name, hasOpened)
  const choices = new Map((result.data ?? []).map((choice) => [choice.id, choice]))
  const submittedId = useRef<string>(null) // set by onOptionSubmit, which Mantine calls before onChange; null while typing
  const isLinked = toText(company_id) !== ''
  const changeCompany = (newName: string): void => {
    form.setFieldValue('company', newName)
    form.setFieldValue('company_id', submittedId.current)
    submittedId.current = null
  }
  return (
    <Autocomplete
      label={<FieldLabel editor={editor} field="company" />}
      name="company"
      withScrollArea={false}
      data={[...choices.values()].map(({ id, title }) => ({ value: id, label: title }))}
      filter={({ options }) => options}
      renderOption={({ option }) => {
        const choice = choices.get(option.value)
        return choice && <LinkOption title={choice.title} detail={choice.detail} />
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
      value={name}
      onOptionSubmit={(id) => {
        submittedId.current = id
        queueMicrotask(() => editor.saveInPlace?.()) // Mantine calls this function before onChange, which sets the company
      }}
      onChange={changeCompany}
      onKeyDown={onDropdownKeyDown}
    />
  )
}

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

const companyName = renderTitleById('company')

/** A text field for the name of the company. Choosing a suggestion also sets the link to the company's record. */
export const CompanyField = ({ editor }: { editor: RecordEditor }) => (
  <>
    <RecordField editor={editor} field="company">
      <CompanyInput editor={editor} />
    </RecordField>
    <RecordField editor={editor} field="company_id" show={companyName}>
      {null}
    </RecordField>
  </>
)

/** Typing removes the link, even if the text is the name of a company. */
function CompanyInput({ editor }: { editor: RecordEditor }) {
  const { form } = editor
  const { company, company_id } = form.getValues()
  const typed = toText(company)
  const [hasOpened, setHasOpened] = useState(false)
  const { result } = useLinkChoices('company', typed, hasOpened)
  const choices = new Map((result.data ?? []).map((choice) => [choice.id, choice]))
  const chosenId = useRef<string>(null) // Mantine calls onOptionSubmit before onChange
  const isLinked = toText(company_id) !== ''
  const change = (name: string): void => {
    form.setFieldValue('company', name)
    form.setFieldValue('company_id', chosenId.current)
    chosenId.current = null
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
      value={typed}
      onOptionSubmit={(id) => {
        chosenId.current = id
      }}
      onChange={change}
      onKeyDown={onDropdownKeyDown}
    />
  )
}

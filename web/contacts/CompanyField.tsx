import { Autocomplete } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { textOf } from '#web/records/form/fields.ts'
import { useLinkChoices } from '#web/records/links/linkedRecords.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { onDropdownKeyDown } from '#web/ui/dropdownKeys.ts'
import classes from './ContactForm.module.css'
import { FieldLabel } from './FieldLabel.tsx'

/** The company in words. Choosing one of the records links to it; typing takes the link away, even when it is the name of one. */
export function CompanyField({ form }: Pick<RecordEditor, 'form'>) {
  const { company, company_id } = form.getValues()
  const typed = textOf(company)
  const [wanted, setWanted] = useState(false)
  const { found } = useLinkChoices('company', typed, wanted)
  const choices = new Map((found.data ?? []).map((choice) => [choice.id, choice]))
  const picked = useRef<string>(null) // the choice whose name `change` is told next
  const isLinked = textOf(company_id) !== ''
  const change = (name: string): void => {
    form.setFieldValue('company', name)
    form.setFieldValue('company_id', picked.current)
    picked.current = null
  }
  return (
    <Autocomplete
      label={<FieldLabel field="company" />}
      name="company"
      withScrollArea={false}
      data={[...choices.values()].map(({ id, name }) => ({ value: id, label: name }))}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span className={classes['person']}>
          {choices.get(option.value)?.name} <span>{choices.get(option.value)?.about}</span>
        </span>
      )}
      rightSection={
        isLinked && (
          <span title="Linked to the company’s record">
            <IconBuilding size={16} stroke={1.75} />
          </span>
        )
      }
      onDropdownOpen={() => setWanted(true)}
      {...form.getInputProps('company')}
      value={typed}
      onOptionSubmit={(id) => {
        picked.current = id
      }}
      onChange={change}
      onKeyDown={onDropdownKeyDown}
    />
  )
}

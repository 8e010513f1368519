import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBuilding } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { textOf } from '#web/records/fields.ts'
import { linkChoices } from '#web/records/linkedKinds.ts'
import type { RecordEditor } from '#web/records/useRecordEditor.ts'
import { keysOfOpenList } from '#web/ui/keysOfOpenList.ts'
import classes from './ContactForm.module.css'
import { FieldLabel } from './FieldLabel.tsx'

const pauseMs = 200

/** The company in words. Choosing one of the records links to it; typing something else takes the link away. */
export function CompanyField({ form }: Pick<RecordEditor, 'form'>) {
  const { company, company_id } = form.getValues()
  const typed = textOf(company)
  const [search] = useDebouncedValue(typed, pauseMs)
  const [wanted, setWanted] = useState(false)
  const found = useQuery({ ...linkChoices('company', search), enabled: wanted, placeholderData: keepPreviousData })
  const choices = new Map((found.data ?? []).map((choice) => [choice.name, choice]))
  const isLinked = textOf(company_id) !== ''
  const change = (name: string): void => {
    form.setFieldValue('company', name)
    form.setFieldValue('company_id', choices.get(name)?.id ?? null)
  }
  return (
    <Autocomplete
      label={<FieldLabel field="company" />}
      name="company"
      withScrollArea={false}
      data={[...choices.keys()]}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span className={classes['person']}>
          {option.value} <span>{choices.get(option.value)?.about}</span>
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
      onChange={change}
      onKeyDown={keysOfOpenList}
    />
  )
}

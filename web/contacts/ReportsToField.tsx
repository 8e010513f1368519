import { Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { textOf, type FieldValues } from '#web/records/fields.ts'
import type { Contact } from '#contract/contacts.ts'
import { keysOfOpenList } from '#web/ui/keysOfOpenList.ts'
import classes from './ContactForm.module.css'
import { FieldLabel } from './FieldLabel.tsx'
import { fullName } from './links.ts'
import { contactChoices, contactQuery } from './queries.ts'

type ReportsToFieldProps = { form: UseFormReturnType<FieldValues>; contact: Contact | undefined }

const nobody = { value: '', label: 'None' }
const pauseMs = 200

/** The contact to whom this one reports, found on the server. Never the contact itself. */
export function ReportsToField({ form, contact }: ReportsToFieldProps) {
  const chosen = textOf(form.getValues()['reports_to_id']) || null
  const chosenName = useNameOf(chosen, contact)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed === chosenName || typed === nobody.label ? '' : typed, pauseMs)
  const [wanted, setWanted] = useState(false)
  const found = useQuery({ ...contactChoices(search), enabled: wanted })
  const people = (found.data?.rows ?? []).filter(({ id }) => id !== contact?.id)
  const choices = people.map((person) => ({ value: person.id, label: fullName(person) }))
  const about = new Map(people.map(({ id, company, email }) => [id, company || email]))
  const current = chosen && !choices.some(({ value }) => value === chosen) ? [{ value: chosen, label: chosenName }] : []
  return (
    <Select
      label={<FieldLabel field="reports_to_id" />}
      name="reports_to_id"
      placeholder="Search contacts"
      searchable
      allowDeselect={false}
      data={[nobody, ...current, ...choices]}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span className={classes['person']}>
          {option.label} <span>{about.get(option.value)}</span>
        </span>
      )}
      nothingFoundMessage={found.isFetching ? 'Searching' : 'Nobody found'}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setWanted(true)}
      {...form.getInputProps('reports_to_id')}
      value={chosen}
      onChange={(id) => form.setFieldValue('reports_to_id', id || null)}
      onFocus={(event) => event.currentTarget.select()} // what is typed takes the place of the name
      onKeyDown={keysOfOpenList}
    />
  )
}

/** How the chosen contact is called; empty until that is known. */
function useNameOf(id: string | null, contact: Contact | undefined): string {
  const known = id !== null && id === contact?.reports_to_id ? contact.reports_to_name : undefined
  const { data } = useQuery({ ...contactQuery(id ?? ''), enabled: id !== null && known === undefined })
  return known ?? (data ? fullName(data) : '')
}

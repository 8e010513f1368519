import { Select } from '@mantine/core'
import { useState } from 'react'
import { onDropdownKeyDown } from '#web/ui/dropdownKeys.ts'
import type { Linked } from '#web/records/kind/kind.ts'
import { linkedKinds, useLinkChoices } from './linkedRecords.tsx'

type LinkSelectProps = {
  label: string
  to: Linked
  chosen: string | null
  disabled: boolean
  onChoose: (id: string | null, name: string) => void
}

/** One record to choose, found on the server by typing. */
export function LinkSelect({ label, to, chosen, disabled, onChoose }: LinkSelectProps) {
  const [typed, setTyped] = useState('')
  const [name, setName] = useState('')
  const { found } = useLinkChoices(to, typed === name ? '' : typed, !disabled)
  const choices = (found.data ?? []).map((choice) => ({ value: choice.id, label: choice.name }))
  const current = chosen && !choices.some(({ value }) => value === chosen) ? [{ value: chosen, label: name }] : []
  return (
    <Select
      label={label}
      placeholder={`Search ${linkedKinds[to].plural}`}
      searchable
      disabled={disabled}
      data={[...current, ...choices]}
      filter={({ options }) => options}
      nothingFoundMessage={found.isFetching ? 'Searching' : `No ${to} found`}
      searchValue={typed}
      onSearchChange={setTyped}
      value={chosen}
      onChange={(id, option) => {
        setName(option?.label ?? '')
        onChoose(id, option?.label ?? '')
      }}
      onKeyDown={onDropdownKeyDown}
    />
  )
}

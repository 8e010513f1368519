import '#web/ui/choices.css'
import { Select } from '@mantine/core'
import { useState } from 'react'
import { onDropdownKeyDown } from '#web/ui/dropdownKeys.ts'
import { recordKinds, type KindName } from '#contract/kinds.ts'
import { useLinkChoices } from './linkChoices.tsx'

type LinkSelectProps = {
  label: string
  to: KindName
  chosen: string | null
  disabled: boolean
  onChoose: (id: string | null, title: string) => void
}

/** Selects one record, which the server finds by the typed text. */
export function LinkSelect({ label, to, chosen, disabled, onChoose }: LinkSelectProps) {
  const [typed, setTyped] = useState('')
  const [title, setTitle] = useState('')
  const { result } = useLinkChoices(to, typed === title ? '' : typed, !disabled)
  const choices = (result.data ?? []).map((choice) => ({ value: choice.id, label: choice.title }))
  const current = chosen && !choices.some(({ value }) => value === chosen) ? [{ value: chosen, label: title }] : []
  return (
    <Select
      label={label}
      placeholder={`Search ${recordKinds[to].plural}`}
      searchable
      disabled={disabled}
      data={[...current, ...choices]}
      filter={({ options }) => options}
      nothingFoundMessage={result.isFetching ? 'Searching' : `No ${to} found`}
      searchValue={typed}
      onSearchChange={setTyped}
      value={chosen}
      onChange={(id, option) => {
        setTitle(option?.label ?? '')
        onChoose(id, option?.label ?? '')
      }}
      onKeyDown={onDropdownKeyDown}
    />
  )
}

import '#web/ui/choices.css'
import { Select } from '@mantine/core'
import { useState } from 'react'
import { onDropdownKeyDown } from '#web/ui/dropdownKeys.ts'
import { recordKinds, type KindName } from '#contract/kinds.ts'
import { useLinkChoices } from './linkChoices.tsx'

type LinkSelectProps = {
  label: string
  /** The kind of the linked record. */
  linkedKind: KindName
  /** The id of the selected record; null if none is selected. */
  selectedId: string | null
  disabled: boolean
  onSelect: (id: string | null, title: string) => void
}

/** Selects one record, which the server finds by the typed text. */
export function LinkSelect({ label, linkedKind, selectedId, disabled, onSelect }: LinkSelectProps) {
  const [text, setText] = useState('')
  const [title, setTitle] = useState('')
  const searchText = text === title ? '' : text // the title of the selected record is not a search
  const { result } = useLinkChoices(linkedKind, searchText, !disabled)
  const choices = (result.data ?? []).map((choice) => ({ value: choice.id, label: choice.title }))
  const isFound = choices.some(({ value }) => value === selectedId)
  const selectedOption = selectedId && !isFound ? [{ value: selectedId, label: title }] : []
  return (
    <Select
      label={label}
      placeholder={`Search ${recordKinds[linkedKind].plural}`}
      searchable
      disabled={disabled}
      data={[...selectedOption, ...choices]}
      filter={({ options }) => options} // the server has already filtered them
      nothingFoundMessage={result.isFetching ? 'Searching' : `No ${linkedKind} found`}
      searchValue={text}
      onSearchChange={setText}
      value={selectedId}
      onChange={(id, option) => {
        const newTitle = option?.label ?? ''
        setTitle(newTitle)
        onSelect(id, newTitle)
      }}
      onKeyDown={onDropdownKeyDown}
    />
  )
}

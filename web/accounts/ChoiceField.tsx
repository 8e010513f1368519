import type { ReactNode } from 'react'
import { Select } from '@mantine/core'
import type { Choice } from './places.ts'

type ChoiceFieldProps = {
  label: string
  choices: Choice[]
  value: string
  error?: ReactNode
  /** What stands in an empty field; then the choice can be cleared. */
  placeholder?: string
  onChoose: (value: string) => void
}

/** One of many: type to find it. */
export function ChoiceField({ label, choices, value, error, placeholder, onChoose }: ChoiceFieldProps) {
  return (
    <Select
      label={label}
      placeholder={placeholder}
      searchable
      selectFirstOptionOnChange
      clearable={placeholder !== undefined}
      allowDeselect={false}
      limit={100}
      nothingFoundMessage={`No ${label.toLowerCase()} found`}
      data={choices}
      value={value || null}
      error={error}
      onChange={(chosen) => onChoose(chosen ?? '')}
      onFocus={(event) => event.currentTarget.select()} // typing then searches instead of adding to what stands there
    />
  )
}

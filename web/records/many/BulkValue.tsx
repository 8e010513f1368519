import { NativeSelect, TextInput } from '@mantine/core'
import type { FilterType } from '#contract/lists.ts'
import { LinkSelect } from '#web/records/links/LinkSelect.tsx'
import type { ListField } from '#web/records/list/listKind.ts'

/** What was entered for a field: as text, or what a link leads to. */
export type Typed = { text: string; id: string | null; name: string }

type BulkValueProps = {
  field: ListField
  kind: FilterType
  typed: Typed
  disabled: boolean
  onChange: (typed: Typed) => void
}

const mostLetters = 200
const inputs: Partial<Record<FilterType, object>> = { number: { inputMode: 'decimal' }, date: { type: 'date' } }

/** Where the value is entered that all of them get. */
export function BulkValue({ field, kind, typed, disabled, onChange }: BulkValueProps) {
  const setText = (text: string): void => onChange({ ...typed, text })
  if (kind === 'link' && field.linksTo)
    return (
      <LinkSelect
        label={field.label}
        to={field.linksTo}
        chosen={typed.id}
        disabled={disabled}
        onChoose={(id, name) => onChange({ ...typed, id, name })}
      />
    )
  if (kind === 'choice')
    return (
      <NativeSelect
        label={field.label}
        disabled={disabled}
        value={typed.text}
        data={[{ value: '', label: 'Choose' }, ...(field.choices ?? [])]}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    )
  return (
    <TextInput
      {...inputs[kind]}
      label={field.label}
      disabled={disabled}
      maxLength={mostLetters}
      value={typed.text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  )
}

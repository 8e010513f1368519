import { useState } from 'react'
import type { Condition } from '#contract/lists.ts'
import { ChoiceList } from '#web/ui/ChoiceList.tsx'
import { ConditionEditor } from './ConditionEditor.tsx'
import { filteredFields, type FilterableKind, type FilteredField } from './filtering.ts'

type FilterBuilderProps = {
  kind: FilterableKind
  /** What holds already: its fields open as they are. */
  filter: readonly Condition[]
  onApply: (field: string, condition: Condition | undefined) => void
}

/** A filter from its beginning: the field, then what is asked of it. */
export function FilterBuilder({ kind, filter, onApply }: FilterBuilderProps) {
  const [filtered, setFiltered] = useState<FilteredField>()
  const all = filteredFields(kind)
  if (!filtered)
    return (
      <ChoiceList
        label="Filter by"
        choices={all.map(({ field: { name, label } }) => ({ value: name, label }))}
        onChoose={(name) => setFiltered(all.find(({ field }) => field.name === name))}
      />
    )
  const { name } = filtered.field
  return (
    <ConditionEditor
      kind={kind}
      filtered={filtered}
      condition={filter.find(({ field }) => field === name)}
      onApply={(condition) => onApply(name, condition)}
      onBack={() => setFiltered(undefined)}
    />
  )
}

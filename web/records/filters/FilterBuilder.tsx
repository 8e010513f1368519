import { useState } from 'react'
import type { Condition } from '#contract/lists.ts'
import { ChoiceList } from '#web/ui/ChoiceList.tsx'
import { ConditionEditor } from './ConditionEditor.tsx'
import { getFilterFields, isOnField, type FilterableKind, type FilterField } from './filtering.ts'
import type { ChangeCondition } from './useAppliedCondition.ts'

type FilterBuilderProps = {
  kind: FilterableKind
  /** The conditions of the list. If a condition is on the selected field, the editor opens with this condition. */
  filter: readonly Condition[]
  /** Called with the name of the field whose condition is replaced, and with the parameters of `ChangeCondition`. */
  onChange: (field: string, ...change: Parameters<ChangeCondition>) => void
  onDone: () => void
  hasDoneButton?: boolean
}

/** Adds a filter in two steps: the field, then the condition. */
export function FilterBuilder({ kind, filter, onChange, onDone, hasDoneButton = false }: FilterBuilderProps) {
  const [field, setField] = useState<FilterField>()
  const fields = getFilterFields(kind)
  if (!field)
    return (
      <ChoiceList
        label="Filter by"
        choices={fields.map(({ name, label }) => ({ value: name, label }))}
        onSelect={(name) => setField(fields.find((each) => each.name === name))}
      />
    )
  const condition = filter.find((each) => isOnField(field, each))
  return (
    <ConditionEditor
      kind={kind}
      field={field}
      condition={condition}
      onChange={(...change) => onChange(condition?.field ?? field.name, ...change)}
      onDone={onDone}
      hasDoneButton={hasDoneButton}
      onBack={() => setField(undefined)}
    />
  )
}

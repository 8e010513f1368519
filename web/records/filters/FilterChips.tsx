import { useState } from 'react'
import type { Condition } from '#contract/lists.ts'
import type { ListSettings, ChangeSettings } from '#web/records/address/listSettings.ts'
import { FilterChip } from './FilterChip.tsx'
import { getFilterFields, replaceCondition, type FilterableKind } from './filtering.ts'

type FilterChipsProps = {
  kind: FilterableKind
  settings: ListSettings
  changeSettings: ChangeSettings
  /** The conditions that are shown. */
  chips: readonly Condition[]
}

/** The conditions of a list, with buttons that edit and remove them. A condition stays while it is edited, also without any choice. */
export function FilterChips({ kind, settings: { filter }, changeSettings, chips }: FilterChipsProps) {
  const [opened, setOpened] = useState<{ field: string; index: number }>()
  const names = chips.map(({ field }) => field)
  const shownNames = !opened || names.includes(opened.field) ? names : names.toSpliced(opened.index, 0, opened.field)
  const fields = getFilterFields(kind)
  return shownNames.flatMap((name, index) => {
    const field = fields.find((each) => each.name === name)
    if (!field) return []
    return (
      <FilterChip
        key={name}
        kind={kind}
        field={field}
        condition={filter.find((each) => each.field === name)}
        isOpen={opened?.field === name}
        onOpenChange={(isOpen) => setOpened(isOpen ? { field: name, index } : undefined)}
        onChange={(condition, options) => changeSettings({ filter: replaceCondition(filter, name, condition, index) }, options)}
      />
    )
  })
}

import { Button } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useState } from 'react'
import type { Condition } from '#contract/lists.ts'
import { useActions } from '#web/lib/actions.ts'
import { askAssistant } from '#web/lib/askAssistant.ts'
import type { ListSettings, ChangeSettings } from '#web/records/address/listSettings.ts'
import { FilterChip } from './FilterChip.tsx'
import { getFilterFields, isOnField, replaceCondition, type FilterableKind, type FilterField } from './filtering.ts'

type FilterChipsProps = {
  kind: FilterableKind
  settings: ListSettings
  changeSettings: ChangeSettings
  /** The conditions of the list that are shown as chips. */
  shownConditions: readonly Condition[]
}

/**
 * The conditions of a list as chips, each with buttons that edit and remove it. While the editor of a chip is open, the chip stays, even if
 * the user unticks all choices and the list has no such condition any more.
 */
export function FilterChips({ kind, settings: { filter, search }, changeSettings, shownConditions }: FilterChipsProps) {
  /** The chip whose editor is open, and its position. */
  const [openChip, setOpenChip] = useState<Chip & { index: number }>()
  const shownChips = toChips(kind, shownConditions)
  const isOpenChipMissing = openChip && !shownChips.some(({ field }) => field.name === openChip.field.name)
  const allChips = isOpenChipMissing ? shownChips.toSpliced(openChip.index, 0, { ...openChip, condition: undefined }) : shownChips
  return (
    <>
      {allChips.map((chip, index) => (
        <FilterChip
          key={chip.key}
          kind={kind}
          field={chip.field}
          condition={chip.condition}
          isOpen={openChip?.key === chip.key}
          onOpenChange={(isOpen) => setOpenChip(isOpen ? { ...chip, index } : undefined)}
          onChange={(condition, options) => {
            const replacedField = chip.condition?.field ?? chip.field.name
            changeSettings({ filter: replaceCondition(filter, replacedField, condition, index) }, options)
          }}
        />
      ))}
      {allChips.length > 0 && <AskAboutThese kind={kind} filter={filter} search={search} />}
    </>
  )
}

/** Opens the assistant for a question about the records that match the search and the filter. */
function AskAboutThese({ kind, filter, search }: { kind: FilterableKind } & Pick<ListSettings, 'filter' | 'search'>) {
  const ask = (): void => askAssistant({ list: { kind: kind.singular, search, filter } })
  useActions([{ label: `Ask about these ${kind.plural}`, icon: IconSparkles, keywords: 'ai assistant question', run: ask }])
  return (
    <Button variant="subtle" color="gray" leftSection={<IconSparkles size={16} stroke={1.75} />} onClick={ask}>
      Ask about these
    </Button>
  )
}

/**
 * A condition with its field in the menu. `key` is the React key. It stays the same when an edit replaces a condition on a link by one on
 * the title that is stored with the link.
 */
type Chip = { key: string; field: FilterField; condition: Condition | undefined }

function toChips(kind: FilterableKind, conditions: readonly Condition[]): Chip[] {
  const fields = getFilterFields(kind)
  return conditions.flatMap((condition) => {
    const field = fields.find((each) => isOnField(each, condition))
    if (!field) return []
    // of two conditions on the field, one is on a link and one on the title that is stored with it
    const isFirst = conditions.find((each) => isOnField(field, each)) === condition
    return { key: isFirst ? field.name : `second ${field.name}`, field, condition }
  })
}

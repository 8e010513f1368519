import { Button } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { useActions } from '#web/lib/actions.ts'
import { FilterPopover } from './FilterPopover.tsx'
import { replaceCondition, type FilterableKind } from './filtering.ts'
import type { ListSettings, ChangeSettings } from '#web/records/address/listSettings.ts'

// `lazyPart` adds the property `onLoadCancelled`: it is called if the code cannot be loaded, or if the user presses Escape before it is loaded
const FilterBuilder = lazyPart(() => import('./FilterBuilder.tsx').then((module) => module.FilterBuilder))

type FilterButtonProps = {
  kind: FilterableKind
  settings: ListSettings
  changeSettings: ChangeSettings
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** The button that opens the menu in which the user adds a filter. */
export function FilterButton({ kind, settings: { filter }, changeSettings, isOpen, onOpenChange }: FilterButtonProps) {
  const [openCount, setOpenCount] = useState(0) // a new key resets the menu, even if it is opened again while it fades out
  const openMenu = (): void => {
    onOpenChange(true)
    setOpenCount(openCount + 1)
  }
  const close = (): void => onOpenChange(false)
  useActions([{ keys: 'f', label: `Filter ${kind.plural}`, run: openMenu }])
  return (
    <FilterPopover
      label={`Filter ${kind.plural}`}
      opened={isOpen}
      onClose={close}
      target={
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconFilter size={16} stroke={1.75} />}
          aria-keyshortcuts="f"
          onClick={isOpen ? close : openMenu}
        >
          Filter
        </Button>
      }
    >
      <FilterBuilder
        key={openCount}
        kind={kind}
        filter={filter}
        onLoadCancelled={close}
        onDone={close}
        onChange={(name, condition, options) => changeSettings({ filter: replaceCondition(filter, name, condition) }, options)}
      />
    </FilterPopover>
  )
}

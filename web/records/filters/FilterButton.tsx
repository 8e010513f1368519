import { Button, Popover } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useActions } from '#web/lib/actions.ts'
import { FilterPopover } from './FilterPopover.tsx'
import { withCondition, type FilterableKind } from './filtering.ts'
import type { ListSearch, ChangeSearch } from '#web/records/address/listSearch.ts'

const FilterBuilder = lazy(() => import('./FilterBuilder.tsx').then((module) => ({ default: module.FilterBuilder })))

type FilterButtonProps = { kind: FilterableKind; search: ListSearch; change: ChangeSearch }

/** Opens the menu that adds a filter. */
export function FilterButton({ kind, search, change }: FilterButtonProps) {
  const [open, setOpen] = useState(false)
  const [openings, setOpenings] = useState(0) // used as a key, so that a menu that is reopened during its fade-out is reset
  const start = (): void => {
    setOpen(true)
    setOpenings(openings + 1)
  }
  const close = (): void => setOpen(false)
  useActions([{ keys: 'f', label: `Filter ${kind.plural}`, run: start }])
  return (
    <FilterPopover
      label={`Filter ${kind.plural}`}
      opened={open}
      onClose={close}
      target={
        <Popover.Target>
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconFilter size={16} stroke={1.75} />}
            aria-keyshortcuts="f"
            onClick={open ? close : start}
          >
            Filter
          </Button>
        </Popover.Target>
      }
    >
      <Suspense>
        <FilterBuilder
          key={openings}
          kind={kind}
          filter={search.filter}
          onApply={(name, condition) => {
            close()
            change({ filter: withCondition(search.filter, name, condition) }, 'new entry')
          }}
        />
      </Suspense>
    </FilterPopover>
  )
}

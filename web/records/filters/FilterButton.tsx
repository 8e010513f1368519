import { Button, Popover } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useActions } from '#web/lib/actions.ts'
import { FilterPopover } from './FilterPopover.tsx'
import { withCondition, type FilterableKind } from './filtering.ts'
import type { ListSearch, ChangeSearch } from '#web/records/address/listSearch.ts'

const FilterBuilder = lazy(() => import('./FilterBuilder.tsx').then((module) => ({ default: module.FilterBuilder })))

type FilterButtonProps = { kind: FilterableKind; search: ListSearch; change: ChangeSearch }

/** Leads to one more filter: first its field, then what is asked of it. */
export function FilterButton({ kind, search, change }: FilterButtonProps) {
  const [open, setOpen] = useState(false)
  const [round, setRound] = useState(0) // opened again while it still fades away, it begins anew
  const begin = (): void => {
    setOpen(true)
    setRound(round + 1)
  }
  const close = (): void => setOpen(false)
  useActions([{ keys: 'f', label: `Filter ${kind.plural}`, run: begin }])
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
            onClick={open ? close : begin}
          >
            Filter
          </Button>
        </Popover.Target>
      }
    >
      <Suspense>
        <FilterBuilder
          key={round}
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

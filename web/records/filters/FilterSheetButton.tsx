import { Button } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import { lazyPart } from '#web/lib/lazyPart.ts'
import classes from './Filters.module.css'
import type { FilterableKind } from './filtering.ts'
import type { ListSettings, ChangeSettings } from '#web/records/address/listSettings.ts'

// `lazyPart` adds the property `onLoadCancelled`: it is called if the code cannot be loaded, or if the user presses Escape before it is loaded
const FilterSheet = lazyPart(() => import('./FilterSheet.tsx').then((module) => module.FilterSheet))

type FilterSheetButtonProps = { kind: FilterableKind; settings: ListSettings; changeSettings: ChangeSettings }

/** The button that opens `FilterSheet`. It shows the number of filters. */
export function FilterSheetButton(props: FilterSheetButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const filterCount = props.settings.filter.length
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        className={classes['phone'] ?? ''}
        aria-label={filterCount > 0 ? `Filter, ${filterCount} in use` : 'Filter'}
        onClick={() => setOpen(true)}
      >
        <IconFilter size={18} stroke={1.75} aria-hidden />
        {filterCount > 0 && <span className={classes['count']}>{filterCount}</span>}
      </Button>
      {isOpen && <FilterSheet {...props} onLoadCancelled={close} onClose={close} />}
    </>
  )
}

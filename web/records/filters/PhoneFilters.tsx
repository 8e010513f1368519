import { Button } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import classes from './Filters.module.css'
import type { FilterableKind } from './filtering.ts'
import type { ListSearch, ChangeSearch } from '#web/records/address/listSearch.ts'

const FilterSheet = lazy(() => import('./FilterSheet.tsx').then((module) => ({ default: module.FilterSheet })))

type PhoneFiltersProps = { kind: FilterableKind; search: ListSearch; change: ChangeSearch }

/** A button with the number of filters; it opens `FilterSheet`. */
export function PhoneFilters(props: PhoneFiltersProps) {
  const [open, setOpen] = useState(false)
  const number = props.search.filter.length
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        className={classes['phone'] ?? ''}
        aria-label={number > 0 ? `Filter, ${number} in use` : 'Filter'}
        onClick={() => setOpen(true)}
      >
        <IconFilter size={18} stroke={1.75} aria-hidden />
        {number > 0 && <span className={classes['number']}>{number}</span>}
      </Button>
      <Suspense>{open && <FilterSheet {...props} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

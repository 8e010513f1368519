import { Popover } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { ConditionText } from './ConditionText.tsx'
import { filteredFields, withCondition, type FilterableKind } from './filtering.ts'
import { FilterPopover } from './FilterPopover.tsx'
import type { ListSearch, ChangeSearch } from '#web/records/address/listSearch.ts'
import classes from './Filters.module.css'

const ConditionEditor = lazy(() => import('./ConditionEditor.tsx').then((module) => ({ default: module.ConditionEditor })))

type FilterChipProps = { kind: FilterableKind; search: ListSearch; change: ChangeSearch; index: number }

/** A filter that holds: which field, what is asked of it, and how it goes away. Its words open it again. */
export function FilterChip({ kind, search, change, index }: FilterChipProps) {
  const [open, setOpen] = useState(false)
  const condition = search.filter[index]
  const filtered = filteredFields(kind).find(({ field }) => field.name === condition?.field)
  if (!condition || !filtered) return null
  const { label, name } = filtered.field
  const put = (next: typeof condition | undefined): void => {
    setOpen(false)
    change({ filter: withCondition(search.filter, name, next) }, 'new entry')
  }
  return (
    <div className={classes['chip']}>
      <FilterPopover
        label={`Filter by ${label}`}
        opened={open}
        onClose={() => setOpen(false)}
        target={
          <Popover.Target>
            <button type="button" className={classes['words']} onClick={() => setOpen(!open)}>
              <span className={classes['field']}>{label}</span>
              <span className={classes['said']}>
                <ConditionText filtered={filtered} condition={condition} />
              </span>
            </button>
          </Popover.Target>
        }
      >
        <Suspense>
          <ConditionEditor kind={kind} filtered={filtered} condition={condition} onApply={put} />
        </Suspense>
      </FilterPopover>
      <button type="button" className={classes['remove']} aria-label={`Remove the filter by ${label}`} onClick={() => put(undefined)}>
        <IconX size={14} stroke={2} aria-hidden />
      </button>
    </div>
  )
}

import { Popover } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { ConditionText } from './ConditionText.tsx'
import { getFilterFields, replaceCondition, type FilterableKind } from './filtering.ts'
import { FilterPopover } from './FilterPopover.tsx'
import type { ListSettings, ChangeSettings } from '#web/records/address/listSettings.ts'
import classes from './Filters.module.css'

const ConditionEditor = lazyPart(() => import('./ConditionEditor.tsx').then((module) => module.ConditionEditor))

type FilterChipProps = { kind: FilterableKind; settings: ListSettings; changeSettings: ChangeSettings; index: number }

/** A condition of the list, with buttons that edit and remove it. `index` is the position of the condition in the filter. */
export function FilterChip({ kind, settings, changeSettings, index }: FilterChipProps) {
  const [isOpen, setOpen] = useState(false)
  const condition = settings.filter[index]
  const field = getFilterFields(kind).find(({ name }) => name === condition?.field)
  if (!condition || !field) return null
  const { label, name } = field
  const apply = (next: typeof condition | undefined): void => {
    setOpen(false)
    changeSettings({ filter: replaceCondition(settings.filter, name, next) }, { addsHistoryEntry: true })
  }
  return (
    <div className={classes['chip']}>
      <FilterPopover
        label={`Filter by ${label}`}
        opened={isOpen}
        onClose={() => setOpen(false)}
        target={
          <Popover.Target>
            <button type="button" className={classes['edit']} onClick={() => setOpen(!isOpen)}>
              <span className={classes['field']}>{label}</span>
              <span className={classes['condition']}>
                <ConditionText field={field} condition={condition} />
              </span>
            </button>
          </Popover.Target>
        }
      >
        <ConditionEditor kind={kind} field={field} condition={condition} onGiveUp={() => setOpen(false)} onApply={apply} />
      </FilterPopover>
      <button type="button" className={classes['remove']} aria-label={`Remove the filter by ${label}`} onClick={() => apply(undefined)}>
        <IconX size={14} stroke={2} aria-hidden />
      </button>
    </div>
  )
}

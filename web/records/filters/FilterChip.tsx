import { IconX } from '@tabler/icons-react'
import type { Condition } from '#contract/lists.ts'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { ConditionText } from './ConditionText.tsx'
import type { FilterableKind, FilterField } from './filtering.ts'
import { FilterPopover } from './FilterPopover.tsx'
import classes from './FilterChip.module.css'
import type { ChangeCondition } from './useAppliedCondition.ts'

// `lazyPart` adds the property `onLoadCancelled`: it is called if the code cannot be loaded, or if the user presses Escape before it is loaded
const ConditionEditor = lazyPart(() => import('./ConditionEditor.tsx').then((module) => module.ConditionEditor))

type FilterChipProps = {
  kind: FilterableKind
  field: FilterField
  /** Undefined while the user edits the condition and has ticked no choice. */
  condition: Condition | undefined
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  onChange: ChangeCondition
}

/** A condition of the list, with buttons that edit and remove it. */
export function FilterChip({ kind, field, condition, isOpen, onOpenChange, onChange }: FilterChipProps) {
  const { label } = field
  const close = (): void => onOpenChange(false)
  const remove = (): void => {
    close()
    onChange(undefined, { addsHistoryEntry: true })
  }
  return (
    <div className={classes['chip']}>
      <FilterPopover
        label={`Filter by ${label}`}
        opened={isOpen}
        onClose={close}
        target={
          // `data-printed` keeps the button on paper, where other buttons are hidden
          <button type="button" className={classes['edit']} data-printed onClick={() => onOpenChange(!isOpen)}>
            <span className={classes['field']}>{label}</span>
            <span className={classes['condition']}>{condition ? <ConditionText field={field} condition={condition} /> : 'any'}</span>
          </button>
        }
      >
        <ConditionEditor kind={kind} field={field} condition={condition} onLoadCancelled={close} onChange={onChange} onDone={close} />
      </FilterPopover>
      <button type="button" className={classes['remove']} aria-label={`Remove the filter by ${label}`} onClick={remove}>
        <IconX size={14} stroke={2} aria-hidden />
      </button>
    </div>
  )
}

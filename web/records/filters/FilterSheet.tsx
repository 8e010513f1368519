import { Button, Drawer } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { Condition } from '#contract/lists.ts'
import { ConditionEditor } from './ConditionEditor.tsx'
import { ConditionText } from './ConditionText.tsx'
import classes from './Filters.module.css'
import { filterFieldsOf, withCondition, type FilterableKind, type FilterField } from './filtering.ts'
import type { ListSearch, ChangeSearch } from '#web/records/address/listSearch.ts'
import { FilterBuilder } from './FilterBuilder.tsx'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'

const sheetHeight = 520

type FilterSheetProps = {
  kind: FilterableKind
  search: ListSearch
  change: ChangeSearch
  onClose: () => void
}

/** Adds, changes and removes the filters of a list on a phone. */
export function FilterSheet({ kind, search: { filter }, change, onClose }: FilterSheetProps) {
  const [shown, setShown] = useState<'all' | 'new' | FilterField>(filter.length === 0 ? 'new' : 'all')
  useReturnFocus()
  const apply = (name: string, condition: Condition | undefined): void => {
    const next = withCondition(filter, name, condition)
    change({ filter: next }, 'new entry')
    setShown(next.length === 0 ? 'new' : 'all')
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      position="bottom"
      size={sheetHeight}
      title="Filters"
      classNames={{ content: classes['drawer'] ?? '', body: classes['body'] ?? '' }}
    >
      {shown === 'new' && <FilterBuilder kind={kind} filter={filter} onApply={apply} />}
      {typeof shown === 'object' && (
        <ConditionEditor
          kind={kind}
          field={shown}
          condition={filter.find(({ field }) => field === shown.name)}
          onApply={(condition) => apply(shown.name, condition)}
          onBack={() => setShown('all')}
        />
      )}
      {shown === 'all' && (
        <div className={classes['sheet']}>
          {filter.map((condition) => (
            <FilterRow
              key={condition.field}
              kind={kind}
              condition={condition}
              onOpen={setShown}
              onRemove={(name) => apply(name, undefined)}
            />
          ))}
          <Button variant="default" leftSection={<IconPlus size={16} stroke={1.75} />} onClick={() => setShown('new')}>
            Add filter
          </Button>
          <Button onClick={onClose}>Show {kind.plural}</Button>
        </div>
      )}
    </Drawer>
  )
}

type FilterRowProps = {
  kind: FilterableKind
  condition: Condition
  onOpen: (field: FilterField) => void
  onRemove: (name: string) => void
}

function FilterRow({ kind, condition, onOpen, onRemove }: FilterRowProps) {
  const field = filterFieldsOf(kind).find(({ name }) => name === condition.field)
  if (!field) return null
  const { label, name } = field
  return (
    <div className={classes['chip']}>
      <button type="button" className={classes['words']} onClick={() => onOpen(field)}>
        <span className={classes['field']}>{label}</span>
        <span className={classes['said']}>
          <ConditionText field={field} condition={condition} />
        </span>
      </button>
      <button type="button" className={classes['remove']} aria-label={`Remove the filter by ${label}`} onClick={() => onRemove(name)}>
        <IconX size={16} stroke={2} aria-hidden />
      </button>
    </div>
  )
}

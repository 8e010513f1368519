import { Button, Drawer } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { Condition } from '#contract/lists.ts'
import { ConditionEditor } from './ConditionEditor.tsx'
import { ConditionText } from './ConditionText.tsx'
import classes from './Filters.module.css'
import { filteredFields, withCondition, type FilterableKind, type FilteredField } from './filtering.ts'
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

/** The filters of a list on a phone: what holds, each to change or remove, and one more. */
export function FilterSheet({ kind, search: { filter }, change, onClose }: FilterSheetProps) {
  const [shown, setShown] = useState<'all' | 'new' | FilteredField>(filter.length === 0 ? 'new' : 'all')
  useReturnFocus()
  const put = (name: string, condition: Condition | undefined): void => {
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
      {shown === 'new' && <FilterBuilder kind={kind} filter={filter} onApply={put} />}
      {typeof shown === 'object' && (
        <ConditionEditor
          kind={kind}
          filtered={shown}
          condition={filter.find(({ field }) => field === shown.field.name)}
          onApply={(condition) => put(shown.field.name, condition)}
          onBack={() => setShown('all')}
        />
      )}
      {shown === 'all' && (
        <div className={classes['sheet']}>
          {filter.map((condition) => (
            <Line key={condition.field} kind={kind} condition={condition} onOpen={setShown} onRemove={(name) => put(name, undefined)} />
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

type LineProps = {
  kind: FilterableKind
  condition: Condition
  onOpen: (filtered: FilteredField) => void
  onRemove: (name: string) => void
}

function Line({ kind, condition, onOpen, onRemove }: LineProps) {
  const filtered = filteredFields(kind).find(({ field }) => field.name === condition.field)
  if (!filtered) return null
  const { label, name } = filtered.field
  return (
    <div className={classes['chip']}>
      <button type="button" className={classes['words']} onClick={() => onOpen(filtered)}>
        <span className={classes['field']}>{label}</span>
        <span className={classes['said']}>
          <ConditionText filtered={filtered} condition={condition} />
        </span>
      </button>
      <button type="button" className={classes['remove']} aria-label={`Remove the filter by ${label}`} onClick={() => onRemove(name)}>
        <IconX size={16} stroke={2} aria-hidden />
      </button>
    </div>
  )
}

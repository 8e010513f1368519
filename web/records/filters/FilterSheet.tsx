import '#web/ui/dialogs.css'
import { Button, Drawer } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { Condition } from '#contract/lists.ts'
import { ConditionEditor } from './ConditionEditor.tsx'
import { ConditionText } from './ConditionText.tsx'
import chipClasses from './FilterChip.module.css'
import classes from './FilterSheet.module.css'
import { getFilterFields, isOnField, replaceCondition, type FilterableKind, type FilterField } from './filtering.ts'
import type { ListSettings, ChangeSettings } from '#web/records/address/listSettings.ts'
import { FilterBuilder } from './FilterBuilder.tsx'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'

const sheetHeightPx = 520

type FilterSheetProps = {
  kind: FilterableKind
  settings: ListSettings
  changeSettings: ChangeSettings
  onClose: () => void
}

/**
 * `field` is the field that the menu shows, `conditionField` the name of the field of the condition. They can differ when the menu shows a
 * link to another record, such as Company. The name of that record is also stored as text beside the link, and the condition may be on this
 * text.
 */
type EditedCondition = { conditionField: string; field: FilterField }

/** A drawer in which the filters of a list are added, changed and removed on a phone. */
export function FilterSheet({ kind, settings: { filter }, changeSettings, onClose }: FilterSheetProps) {
  /** The content of the drawer: all filters, the menu that adds a filter, or the editor for the condition on a field. */
  const [content, setContent] = useState<'all' | 'new' | EditedCondition>(filter.length === 0 ? 'new' : 'all')
  useReturnFocus()
  const showAll = (): void => setContent('all')
  /** Replaces the condition on a field. */
  const change = (fieldName: string, condition: Condition | undefined, options: { addsHistoryEntry: boolean }): void =>
    changeSettings({ filter: replaceCondition(filter, fieldName, condition) }, options)
  const remove = (fieldName: string): void => {
    change(fieldName, undefined, { addsHistoryEntry: true })
    if (filter.length === 1) setContent('new')
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      position="bottom"
      size={sheetHeightPx}
      title="Filters"
      classNames={{ content: classes['drawer'] ?? '', body: classes['body'] ?? '' }}
    >
      {content === 'new' && <FilterBuilder kind={kind} filter={filter} onChange={change} onDone={showAll} hasDoneButton />}
      {typeof content === 'object' && (
        <ConditionEditor
          kind={kind}
          field={content.field}
          condition={filter.find(({ field }) => field === content.conditionField)}
          onChange={(condition, options) => {
            change(content.conditionField, condition, options)
            // the user may replace a condition on a link by a condition on the name that is stored beside the link
            if (condition) setContent((current) => (current === content ? { ...content, conditionField: condition.field } : current))
          }}
          onDone={showAll}
          hasDoneButton
          onBack={showAll}
        />
      )}
      {content === 'all' && (
        <div className={classes['sheet']}>
          {filter.map((condition) => (
            <FilterRow key={condition.field} kind={kind} condition={condition} onOpen={setContent} onRemove={remove} />
          ))}
          <Button variant="default" leftSection={<IconPlus size={16} stroke={1.75} />} onClick={() => setContent('new')}>
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
  onOpen: (condition: EditedCondition) => void
  onRemove: (fieldName: string) => void
}

function FilterRow({ kind, condition, onOpen, onRemove }: FilterRowProps) {
  const field = getFilterFields(kind).find((each) => isOnField(each, condition))
  if (!field) return null
  const { label } = field
  const conditionField = condition.field
  return (
    <div className={chipClasses['chip']}>
      <button type="button" className={chipClasses['edit']} onClick={() => onOpen({ conditionField, field })}>
        <span className={chipClasses['field']}>{label}</span>
        <span className={chipClasses['condition']}>
          <ConditionText field={field} condition={condition} />
        </span>
      </button>
      <button
        type="button"
        className={chipClasses['remove']}
        aria-label={`Remove the filter by ${label}`}
        onClick={() => onRemove(conditionField)}
      >
        <IconX size={16} stroke={2} aria-hidden />
      </button>
    </div>
  )
}

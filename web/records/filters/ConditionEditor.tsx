import { Button, NativeSelect } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useId, useState, type FormEvent } from 'react'
import type { Condition } from '#contract/lists.ts'
import { toCondition, toDraft, getOperatorLabel, getOperators, type ConditionDraft } from './conditionDraft.ts'
import { ConditionValue } from './ConditionValue.tsx'
import classes from './ConditionEditor.module.css'
import type { FilterableKind, FilterField } from './filtering.ts'

type ConditionEditorProps = {
  kind: FilterableKind
  field: FilterField
  /** The condition to edit; undefined to add one. */
  condition: Condition | undefined
  /** Called with the new condition, or with undefined to remove the condition. */
  onApply: (condition: Condition | undefined) => void
  /** Returns to the list of fields. */
  onBack?: () => void
}

/** Edits the condition on a field. Enter applies the condition. */
export function ConditionEditor({ kind, field, condition, onApply, onBack }: ConditionEditorProps) {
  const [draft, setDraft] = useState<ConditionDraft>(() => toDraft(field.type, condition))
  const titleId = useId()
  const operators = getOperators(field.type, field.required ?? false)
  const nextCondition = toCondition(field, draft)
  const selectOperator = (name: string): void => {
    const operator = operators.find((each) => each === name)
    if (operator) setDraft({ ...draft, operator, selected: [] })
  }
  const apply = (event: FormEvent): void => {
    event.preventDefault()
    if (nextCondition) onApply(nextCondition)
  }
  return (
    <form className={classes['form']} aria-labelledby={titleId} onSubmit={apply}>
      <div className={classes['header']}>
        {onBack && (
          <button type="button" className={classes['back']} aria-label="Back to the fields" onClick={onBack}>
            <IconChevronLeft size={16} stroke={1.75} aria-hidden />
          </button>
        )}
        <h3 id={titleId} className={classes['title']}>
          {field.label}
        </h3>
        {operators.length > 1 && (
          <NativeSelect
            aria-label={`How ${field.label} is asked for`}
            className={classes['operator'] ?? ''}
            size="xs"
            value={draft.operator}
            data={operators.map((operator) => ({ value: operator, label: getOperatorLabel(operator, field.type) }))}
            onChange={(event) => selectOperator(event.currentTarget.value)}
          />
        )}
      </div>
      <ConditionValue
        key={draft.operator}
        kind={kind}
        field={field}
        draft={draft}
        onChange={(changes) => setDraft({ ...draft, ...changes })}
      />
      <div className={classes['footer']}>
        {condition && (
          <Button variant="subtle" color="gray" onClick={() => onApply(undefined)}>
            Remove
          </Button>
        )}
        <Button type="submit" disabled={!nextCondition}>
          Apply
        </Button>
      </div>
    </form>
  )
}

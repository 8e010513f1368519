import { Button, NativeSelect } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useId, useState, type FormEvent } from 'react'
import type { Condition } from '#contract/lists.ts'
import { toCondition, toDraft, operatorLabel, operatorsOf, type ConditionDraft, type Operator } from './conditionDraft.ts'
import { ConditionValue } from './ConditionValue.tsx'
import classes from './ConditionEditor.module.css'
import type { FilterableKind, FilterField } from './filtering.ts'

type ConditionEditorProps = {
  kind: FilterableKind
  field: FilterField
  condition: Condition | undefined
  /** Undefined removes the condition. */
  onApply: (condition: Condition | undefined) => void
  onBack?: () => void
}

/** Edits the condition on a field. Enter applies it. */
export function ConditionEditor({ kind, field, condition, onApply, onBack }: ConditionEditorProps) {
  const [draft, setDraft] = useState<ConditionDraft>(() => toDraft(field.type, condition))
  const titleId = useId()
  const operators = operatorsOf(field.type, field.required ?? false)
  const next = toCondition(field, draft)
  const apply = (event: FormEvent): void => {
    event.preventDefault()
    if (next) onApply(next)
  }
  return (
    <form className={classes['form']} aria-labelledby={titleId} onSubmit={apply}>
      <div className={classes['head']}>
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
            data={operators.map((operator) => ({ value: operator, label: operatorLabel(operator, field.type) }))}
            onChange={(event) => setDraft({ ...draft, operator: operatorByName(operators, event.currentTarget.value), chosen: [] })}
          />
        )}
      </div>
      <ConditionValue
        key={draft.operator}
        kind={kind}
        field={field}
        draft={draft}
        onChange={(changed) => setDraft({ ...draft, ...changed })}
      />
      <div className={classes['foot']}>
        {condition && (
          <Button variant="subtle" color="gray" onClick={() => onApply(undefined)}>
            Remove
          </Button>
        )}
        <Button type="submit" disabled={!next}>
          Apply
        </Button>
      </div>
    </form>
  )
}

const operatorByName = (operators: readonly Operator[], name: string): Operator => operators.find((each) => each === name) ?? 'notEmpty'

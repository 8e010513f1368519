import { Button, NativeSelect } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import type { Condition } from '#contract/lists.ts'
import { findDraftErrors, getOperatorLabel, getOperators, toCondition, toDraft, type ConditionDraft } from './conditionDraft.ts'
import { ConditionValue } from './ConditionValue.tsx'
import classes from './ConditionEditor.module.css'
import type { FilterableKind, FilterField } from './filtering.ts'
import { useAppliedCondition, type ChangeCondition } from './useAppliedCondition.ts'

type ConditionEditorProps = {
  kind: FilterableKind
  field: FilterField
  /** The condition to edit; undefined to add a condition. */
  condition: Condition | undefined
  onChange: ChangeCondition
  /** Called when the user ends the editing, for example with Enter. */
  onDone: () => void
  /** Shows a button that ends the editing, for screens without a keyboard. */
  hasDoneButton?: boolean
  /** Returns to the list of fields. */
  onBack?: () => void
}

/**
 * Edits the condition on a field. Ticked choices take effect shortly after the last tick. A typed value takes effect on Enter or when the
 * user leaves its input; Escape discards it before that.
 */
export function ConditionEditor({ kind, field, condition, onChange, onDone, hasDoneButton = false, onBack }: ConditionEditorProps) {
  const [draft, setDraft] = useState<ConditionDraft>(() => toDraft(field, condition))
  const [showsErrors, setShowsErrors] = useState(false)
  const [canRemove] = useState(condition !== undefined) // stays the same while the editor is open, so that no button moves
  const isCancelled = useRef(false)
  const appliedCondition = useAppliedCondition(condition, onChange)
  const titleId = useId()
  const operators = getOperators(field)
  const errors = findDraftErrors(field.type, draft)
  /** True for the operators whose value is typed and not ticked. */
  const isValueTyped = draft.operator === 'contains' || draft.operator === 'range'
  /**
   * Applies a draft, and returns false if it is incomplete or invalid. A draft without a value removes the condition; but after a change of
   * the operator the old condition stays until the draft has a value for the new operator.
   */
  const apply = (next: ConditionDraft, { isDelayed = false } = {}): boolean => {
    if (findDraftErrors(field.type, next)) return false
    const nextCondition = toCondition(field, next)
    const isOtherOperator = toDraft(field, appliedCondition.get()).operator !== next.operator
    if (nextCondition || !isOtherOperator) appliedCondition.set(nextCondition, { isDelayed })
    return nextCondition !== undefined
  }
  const change = (changes: Partial<ConditionDraft>, { appliesNow = !isValueTyped } = {}): void => {
    const next = { ...draft, ...changes }
    setDraft(next)
    setShowsErrors(false)
    if (appliesNow) apply(next, { isDelayed: changes.selected !== undefined })
  }
  const selectOperator = (name: string): void => {
    const operator = operators.find((each) => each === name)
    if (operator) change({ operator, selected: [] }, { appliesNow: true })
  }
  /** Applies the draft and ends the editing, if the draft is complete, or with `canBeEmpty` also if it has no value. */
  const finish = ({ canBeEmpty = false } = {}): void => {
    setShowsErrors(true)
    const isComplete = apply(draft)
    if (isComplete || (canBeEmpty && !errors)) onDone()
  }
  const applyTyped = (): void => {
    if (!isValueTyped || isCancelled.current) return
    setShowsErrors(true)
    apply(draft)
  }
  /** Runs before the menu closes. Closing takes the focus away, and `applyTyped` must then not apply the typed value. */
  const cancelOnEscape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) isCancelled.current = true
  }
  const finishOnEnter = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    finish()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of its inputs
    <form
      className={classes['form']}
      aria-labelledby={titleId}
      noValidate
      onKeyDownCapture={cancelOnEscape}
      onKeyDown={finishOnEnter}
      onBlur={applyTyped}
      onSubmit={(event) => {
        event.preventDefault()
        finish()
      }}
    >
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
            aria-label={`Condition on ${field.label}`}
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
        errors={showsErrors ? errors : undefined}
        onChange={change}
      />
      {(canRemove || hasDoneButton) && (
        <div className={classes['footer']}>
          {canRemove && (
            <Button
              variant="subtle"
              color="gray"
              onClick={() => {
                appliedCondition.set(undefined)
                onDone()
              }}
            >
              Remove
            </Button>
          )}
          {hasDoneButton && <Button onClick={() => finish({ canBeEmpty: true })}>Done</Button>}
        </div>
      )}
    </form>
  )
}

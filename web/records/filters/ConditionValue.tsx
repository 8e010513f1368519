import { TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { CheckboxList } from '#web/ui/CheckboxList.tsx'
import { DayInput } from '#web/records/form/DayInput.tsx'
import type { ConditionDraft, DraftErrors } from './conditionDraft.ts'
import classes from './ConditionEditor.module.css'
import { namedDayChoices } from './describeCondition.ts'
import type { FilterableKind, FilterField } from './filtering.ts'
import { LinkChoices, TagChoices } from './ValueChoices.tsx'

type ConditionValueProps = {
  kind: FilterableKind
  field: FilterField
  draft: ConditionDraft
  errors: DraftErrors | undefined
  /**
   * `appliesNow` is true for a date from the calendar, and false for a typed date. By default the operator decides whether a change applies
   * now.
   */
  onChange: (changes: Partial<ConditionDraft>, options?: { appliesNow: boolean }) => void
}

/** The inputs for the value of a condition. The first input gets the focus, or the container while there is no input yet. */
export function ConditionValue(props: ConditionValueProps) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const firstInput = container.current?.querySelector('input')
    const hasNoFocus = document.activeElement === document.body
    // the popover sets the focus later, perhaps while the user is typing; the attribute makes the popover focus this input
    firstInput?.setAttribute('data-autofocus', '')
    if (firstInput) firstInput.focus({ preventScroll: true })
    else if (hasNoFocus) container.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={container} className={classes['value']} tabIndex={-1}>
      <Value {...props} />
    </div>
  )
}

function Value({ kind, field, draft, errors, onChange }: ConditionValueProps) {
  const listProps = { label: field.label, selected: draft.selected, onChange: (selected: string[]) => onChange({ selected }) }
  if (draft.operator === 'empty' || draft.operator === 'notEmpty') return null
  if (draft.operator === 'range')
    return field.type === 'number' ? (
      <NumberRange draft={draft} errors={errors} onChange={onChange} />
    ) : (
      <DayRange draft={draft} errors={errors} onChange={onChange} />
    )
  if (draft.operator === 'days') return <CheckboxList {...listProps} choices={namedDayChoices} />
  if (draft.operator === 'contains')
    return (
      <TextInput
        aria-label={`${field.label} contains`}
        maxLength={200}
        value={draft.text}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
    )
  if (field.type === 'tags' && kind.routes.tags)
    return <TagChoices {...listProps} kind={{ table: kind.table, routes: { tags: kind.routes.tags } }} />
  if (field.linksTo) return <LinkChoices {...listProps} linkedKind={field.linksTo} />
  return <CheckboxList {...listProps} choices={field.choices ?? []} />
}

type RangeProps = Pick<ConditionValueProps, 'draft' | 'errors' | 'onChange'>

const NumberRange = ({ draft, errors, onChange }: RangeProps) => (
  <div className={classes['range']}>
    <TextInput
      inputMode="decimal"
      label="At least"
      error={errors?.from}
      value={draft.from}
      onChange={(event) => onChange({ from: event.currentTarget.value })}
    />
    <TextInput
      inputMode="decimal"
      label="At most"
      error={errors?.to}
      value={draft.to}
      onChange={(event) => onChange({ to: event.currentTarget.value })}
    />
  </div>
)

const DayRange = ({ draft, errors, onChange }: RangeProps) => (
  <div className={classes['range']}>
    <DayInput
      label="From"
      error={errors?.from}
      value={draft.from}
      onChange={(from, { isFromCalendar }) => onChange({ from }, { appliesNow: isFromCalendar })}
    />
    <DayInput
      label="To"
      error={errors?.to}
      value={draft.to}
      onChange={(to, { isFromCalendar }) => onChange({ to }, { appliesNow: isFromCalendar })}
    />
  </div>
)

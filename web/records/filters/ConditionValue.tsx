import { TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { CheckboxList } from '#web/ui/CheckboxList.tsx'
import type { ConditionDraft } from './conditionDraft.ts'
import classes from './ConditionEditor.module.css'
import { namedDayChoices } from './describeCondition.ts'
import type { FilterableKind, FilterField } from './filtering.ts'
import { LinkChoices, TagChoices } from './ValueChoices.tsx'

type ConditionValueProps = {
  kind: FilterableKind
  field: FilterField
  draft: ConditionDraft
  onChange: (changed: Partial<ConditionDraft>) => void
}

/** The inputs for the value of a condition. The first input gets the focus, even if it is rendered after its choices are loaded. */
export function ConditionValue(props: ConditionValueProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const first = box.current?.querySelector('input')
    if (first ?? document.activeElement === document.body) (first ?? box.current)?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={box} className={classes['value']} tabIndex={-1}>
      <Value {...props} />
    </div>
  )
}

function Value({ kind, field, draft, onChange }: ConditionValueProps) {
  const choices = { label: field.label, chosen: draft.chosen, onChange: (chosen: string[]) => onChange({ chosen }) }
  if (draft.operator === 'empty' || draft.operator === 'notEmpty') return null
  if (draft.operator === 'range') return <Range isNumber={field.type === 'number'} draft={draft} onChange={onChange} />
  if (draft.operator === 'days') return <CheckboxList {...choices} choices={namedDayChoices} />
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
    return <TagChoices {...choices} kind={{ table: kind.table, routes: { tags: kind.routes.tags } }} />
  if (field.linksTo) return <LinkChoices {...choices} to={field.linksTo} />
  return <CheckboxList {...choices} choices={field.choices ?? []} />
}

type RangeProps = Pick<ConditionValueProps, 'draft' | 'onChange'> & { isNumber: boolean }

function Range({ isNumber, draft, onChange }: RangeProps) {
  const field = isNumber ? ({ inputMode: 'decimal' } as const) : ({ type: 'date' } as const)
  return (
    <div className={classes['range']}>
      <TextInput
        {...field}
        label={isNumber ? 'At least' : 'From'}
        value={draft.from}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
      />
      <TextInput
        {...field}
        label={isNumber ? 'At most' : 'To'}
        value={draft.to}
        onChange={(event) => onChange({ to: event.currentTarget.value })}
      />
    </div>
  )
}

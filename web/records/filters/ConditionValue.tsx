import { TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { CheckboxList } from '#web/ui/CheckboxList.tsx'
import type { ConditionDraft } from './conditionDraft.ts'
import classes from './ConditionEditor.module.css'
import { namedDayChoices } from './describeCondition.ts'
import type { FilterableKind, FilteredField } from './filtering.ts'
import { LinkChoices, TagChoices } from './ValueChoices.tsx'

type ConditionValueProps = {
  kind: FilterableKind
  filtered: FilteredField
  draft: ConditionDraft
  onChange: (changed: Partial<ConditionDraft>) => void
}

/** What a field is asked for, as the way and the kind of the field have it. The focus goes to its beginning, and waits for what is on its way. */
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

function Value({ kind, filtered: { field, kind: filterKind }, draft, onChange }: ConditionValueProps) {
  const ticks = { label: field.label, chosen: draft.chosen, onChange: (chosen: string[]) => onChange({ chosen }) }
  if (draft.way === 'empty' || draft.way === 'full') return null
  if (draft.way === 'range') return <Range isNumber={filterKind === 'number'} draft={draft} onChange={onChange} />
  if (draft.way === 'days') return <CheckboxList {...ticks} choices={namedDayChoices} />
  if (draft.way === 'has')
    return (
      <TextInput
        aria-label={`${field.label} contains`}
        maxLength={200}
        value={draft.text}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
    )
  if (filterKind === 'tags' && kind.routes.tags) return <TagChoices {...ticks} table={kind.table} routes={{ tags: kind.routes.tags }} />
  if (field.linksTo) return <LinkChoices {...ticks} to={field.linksTo} />
  return <CheckboxList {...ticks} choices={field.choices ?? []} />
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

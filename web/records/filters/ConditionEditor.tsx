import { Button, NativeSelect } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useId, useState, type FormEvent } from 'react'
import type { Condition } from '#contract/lists.ts'
import { conditionOf, draftOf, wayInWords, waysOf, type ConditionDraft, type Way } from './conditionDraft.ts'
import { ConditionValue } from './ConditionValue.tsx'
import classes from './ConditionEditor.module.css'
import type { FilterableKind, FilteredField } from './filtering.ts'

type ConditionEditorProps = {
  kind: FilterableKind
  filtered: FilteredField
  /** What holds now. */
  condition: Condition | undefined
  /** Undefined: it holds no longer. */
  onApply: (condition: Condition | undefined) => void
  /** Leads back to the choice of the field. */
  onBack?: () => void
}

/** What is asked of a field: how, and what for. Enter applies it. */
export function ConditionEditor({ kind, filtered, condition, onApply, onBack }: ConditionEditorProps) {
  const { field, kind: filterKind } = filtered
  const [draft, setDraft] = useState<ConditionDraft>(() => draftOf(filterKind, condition))
  const titleId = useId()
  const ways = waysOf(filterKind, field.required ?? false)
  const next = conditionOf(field.name, filterKind, draft)
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
        {ways.length > 1 && (
          <NativeSelect
            aria-label={`How ${field.label} is asked for`}
            className={classes['way'] ?? ''}
            size="xs"
            value={draft.way}
            data={ways.map((way) => ({ value: way, label: wayInWords(way, filterKind) }))}
            onChange={(event) => setDraft({ ...draft, way: wayNamed(ways, event.currentTarget.value), chosen: [] })}
          />
        )}
      </div>
      <ConditionValue
        key={draft.way}
        kind={kind}
        filtered={filtered}
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

const wayNamed = (ways: readonly Way[], name: string): Way => ways.find((way) => way === name) ?? 'full'

import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import * as z from 'zod/mini'
import type { Icon } from '#web/lib/features.ts'
import { formatCount } from '#web/lib/format.ts'
import { readFromTab, storeInTab } from '#web/lib/tabMemory.ts'
import { toFormValues } from '#web/records/form/fields.ts'
import type { SavedRecord } from '#web/records/form/recordForm.ts'
import { Fact, RecordFacts, renderFieldValue } from './RecordFacts.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import classes from './EditableFacts.module.css'
import type { EditedRecord } from '#web/records/inPlace/InPlaceEditor.tsx'
import { hasInPlaceDraft, InPlaceValue } from '#web/records/inPlace/InPlaceValue.tsx'

/** A fact: a value of a record with its label, which is edited in place. */
export type EditableFact<Full> = {
  /** The fields that the value shows. They are edited together. */
  fields: readonly [string, ...string[]]
  icon: Icon
  /** The label of the first field by default. */
  label?: string
  /** Shows the value; by default by the type of the first field. */
  render?: (record: Full) => ReactNode
  /** Returns the text that the copy button copies. Without it there is no button. */
  getCopyText?: (record: Full) => string
  /** The value is shown even if its fields are empty, because `render` then shows something else, such as a default. */
  isNeverEmpty?: boolean
  /** The value is as wide as all columns, and is a text of several lines. */
  isWide?: boolean
}

type EditableFactsProps<Full extends SavedRecord> = EditedRecord<Full> & {
  facts: readonly EditableFact<Full>[]
  columns?: 1 | 2
  /** Facts that are shown before the others. */
  children?: ReactNode
}

/** The values of a record, which are edited in place. Empty values are folded: they are shown only after a click on a button. */
export function EditableFacts<Full extends SavedRecord>({ facts, columns = 1, children, ...edited }: EditableFactsProps<Full>) {
  const foldId = useId()
  const { isExpanded, toggle } = useExpanded(edited.kind.singular)
  const isFilled = (fact: EditableFact<Full>): boolean => fact.isNeverEmpty === true || !areEmpty(edited.record, fact.fields)
  /** The facts above the button. The folded facts are below it. */
  const unfolded = useUnfolded(facts, isExpanded, (fact) => isFilled(fact) || hasInPlaceDraft(edited, fact.fields))
  const renderFacts = (list: readonly EditableFact<Full>[]) =>
    list.map((fact) => <FactInPlace key={fact.fields.join(' ')} fact={fact} {...edited} />)
  const folded = facts.filter((fact) => !unfolded.has(fact))
  const ToggleIcon = isExpanded ? IconChevronDown : IconChevronRight
  return (
    <div className={classes['facts']} data-columns={columns}>
      <RecordFacts>
        {children}
        {renderFacts(facts.filter((fact) => unfolded.has(fact)))}
      </RecordFacts>
      {folded.length > 0 && (
        <UnstyledButton className={classes['toggle']} aria-expanded={isExpanded} aria-controls={foldId} onClick={toggle}>
          <ToggleIcon size={16} stroke={1.75} aria-hidden />
          {isExpanded ? 'Hide empty fields' : `Show ${formatCount(folded.length, 'empty field')}`}
        </UnstyledButton>
      )}
      <div id={foldId}>{isExpanded && folded.length > 0 && <RecordFacts>{renderFacts(folded)}</RecordFacts>}</div>
    </div>
  )
}

function FactInPlace<Full extends SavedRecord>({ fact, ...edited }: EditedRecord<Full> & { fact: EditableFact<Full> }) {
  const { kind, record } = edited
  const { fields, icon, render, getCopyText, isWide = false } = fact
  const [firstField] = fields
  const label = fact.label ?? kind.fields[firstField]?.label ?? firstField
  const noun = label.toLowerCase()
  const copyText = getCopyText?.(record)
  const value = render ? render(record) : renderFieldValue(kind, record, firstField)
  return (
    <Fact icon={icon} label={label} isWide={isWide}>
      <InPlaceValue
        {...edited}
        key={record.id}
        fields={fields}
        noun={noun}
        buttons={copyText && <CopyButton text={copyText} label={`Copy ${noun}`} />}
      >
        {value || '-'}
      </InPlaceValue>
    </Fact>
  )
}

const areEmpty = (record: SavedRecord, fields: readonly string[]): boolean => {
  const labels = Object.fromEntries(fields.map((field) => [field, field]))
  return Object.values(toFormValues({ ...record }, labels)).every((value) => value === null || value.length === 0)
}

/**
 * Returns the facts that are not folded. A fact that becomes empty stays unfolded, and a folded fact that gets a value stays below the
 * button while the folded facts are shown, so that no value moves while the user edits.
 */
function useUnfolded<Fact>(facts: readonly Fact[], isExpanded: boolean, isUnfolded: (fact: Fact) => boolean): ReadonlySet<Fact> {
  const [unfolded, setUnfolded] = useState<ReadonlySet<Fact>>(() => new Set(facts.filter(isUnfolded)))
  const added = isExpanded ? [] : facts.filter((fact) => !unfolded.has(fact) && isUnfolded(fact))
  if (added.length > 0) setUnfolded(new Set([...unfolded, ...added]))
  return unfolded
}

/** Whether the user has chosen to show the empty fields of a kind. This tab remembers the choice. */
function useExpanded(singular: string) {
  const name = `empty fields of ${singular}`
  const [isExpanded, setIsExpanded] = useState(() => readFromTab(name, z.boolean()) ?? false)
  const toggle = (): void => {
    storeInTab(name, !isExpanded)
    setIsExpanded(!isExpanded)
  }
  return { isExpanded, toggle }
}

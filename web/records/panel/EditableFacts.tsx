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
  /** Renders the value. By default the type of the first field decides how the value is shown. */
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
export function EditableFacts<Full extends SavedRecord>({ facts, columns = 1, children, ...editedRecord }: EditableFactsProps<Full>) {
  const foldId = useId()
  const { isExpanded, toggle } = useExpanded(editedRecord.kind.singular)
  const isFilled = (fact: EditableFact<Full>): boolean => fact.isNeverEmpty === true || !areEmpty(editedRecord.record, fact.fields)
  /** The facts above the button. The folded facts are below it. */
  const unfoldedFacts = useUnfoldedFacts(facts, isExpanded, (fact) => isFilled(fact) || hasInPlaceDraft(editedRecord, fact.fields))
  const renderFacts = (list: readonly EditableFact<Full>[]) =>
    list.map((fact) => <FactInPlace key={fact.fields.join(' ')} fact={fact} {...editedRecord} />)
  const foldedFacts = facts.filter((fact) => !unfoldedFacts.has(fact))
  const ToggleIcon = isExpanded ? IconChevronDown : IconChevronRight
  return (
    <div className={classes['facts']} data-columns={columns}>
      <RecordFacts>
        {children}
        {renderFacts(facts.filter((fact) => unfoldedFacts.has(fact)))}
      </RecordFacts>
      {foldedFacts.length > 0 && (
        <UnstyledButton className={classes['toggle']} aria-expanded={isExpanded} aria-controls={foldId} onClick={toggle}>
          <ToggleIcon size={16} stroke={1.75} aria-hidden />
          {isExpanded ? 'Hide empty fields' : `Show ${formatCount(foldedFacts.length, 'empty field')}`}
        </UnstyledButton>
      )}
      <div id={foldId}>{isExpanded && foldedFacts.length > 0 && <RecordFacts>{renderFacts(foldedFacts)}</RecordFacts>}</div>
    </div>
  )
}

function FactInPlace<Full extends SavedRecord>({ fact, ...editedRecord }: EditedRecord<Full> & { fact: EditableFact<Full> }) {
  const { kind, record } = editedRecord
  const { fields, icon, render, getCopyText, isWide = false } = fact
  const [firstField] = fields
  const label = fact.label ?? kind.fields[firstField]?.label ?? firstField
  const noun = label.toLowerCase()
  const copyText = getCopyText?.(record)
  const value = render ? render(record) : renderFieldValue(kind, record, firstField)
  return (
    <Fact icon={icon} label={label} isWide={isWide}>
      <InPlaceValue
        {...editedRecord}
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
 * Returns the facts that are not folded. No value moves while the user edits: a fact that becomes empty stays unfolded, and while the
 * folded facts are shown, a folded fact that gets a value stays below the button.
 */
function useUnfoldedFacts<Full>(
  facts: readonly EditableFact<Full>[],
  isExpanded: boolean,
  hasContent: (fact: EditableFact<Full>) => boolean,
): ReadonlySet<EditableFact<Full>> {
  const [unfoldedFacts, setUnfoldedFacts] = useState<ReadonlySet<EditableFact<Full>>>(() => new Set(facts.filter(hasContent)))
  const newFacts = isExpanded ? [] : facts.filter((fact) => !unfoldedFacts.has(fact) && hasContent(fact))
  if (newFacts.length > 0) setUnfoldedFacts(new Set([...unfoldedFacts, ...newFacts]))
  return unfoldedFacts
}

/** Whether the user has chosen to show the empty fields of a kind. The choice is stored in the browser tab. */
function useExpanded(singular: string) {
  const name = `empty fields of ${singular}`
  const [isExpanded, setIsExpanded] = useState(() => readFromTab(name, z.boolean()) ?? false)
  const toggle = (): void => {
    storeInTab(name, !isExpanded)
    setIsExpanded(!isExpanded)
  }
  return { isExpanded, toggle }
}

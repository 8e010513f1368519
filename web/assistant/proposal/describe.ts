// The texts of the card of a proposal: the labels of its buttons, counts, values and names of fields.
import { recordKinds, type KindName } from '#contract/kinds.ts'
import type { ProposalItem } from '#contract/proposals.ts'
import type { ShownField } from '#web/lib/features.ts'
import { formatCount, formatNumber, formatShortDay } from '#web/lib/format.ts'

type Change = Pick<ProposalItem, 'action' | 'kind'>

const verbs: Record<ProposalItem['action'], { command: string; done: string }> = {
  create: { command: 'Add', done: 'added' },
  update: { command: 'Change', done: 'changed' },
  delete: { command: 'Delete', done: 'deleted' },
  tag: { command: 'Tag', done: 'tagged' },
}

const formatRecordCount = (count: number, kind: KindName): string =>
  formatCount(count, recordKinds[kind].singular, recordKinds[kind].plural)

/** Returns the label of the button that applies the ticked changes: "Apply 3 changes", "Add 1 task", "Delete 2 deals". */
export function describeApply(ticked: readonly Change[]): string {
  const [first] = ticked
  if (!first) return 'Apply'
  const isOneKind = ticked.every(({ action, kind }) => action === first.action && kind === first.kind)
  const hasOwnVerb = first.action === 'create' || first.action === 'delete'
  if (isOneKind && hasOwnVerb) return `${verbs[first.action].command} ${formatRecordCount(ticked.length, first.kind)}`
  return `Apply ${formatCount(ticked.length, 'change')}`
}

/** Returns what was done: "2 tasks added", "3 deals changed", "4 changes applied". */
export function describeApplied(done: readonly Change[]): string {
  const [first] = done
  const isOneKind = first && done.every(({ action, kind }) => action === first.action && kind === first.kind)
  return isOneKind
    ? `${formatRecordCount(done.length, first.kind)} ${verbs[first.action].done}`
    : `${formatCount(done.length, 'change')} applied`
}

/** Returns how many changes are ticked: "all ticked", "2 ticked". */
export function describeTicked(ticked: number, all: number): string {
  if (ticked === all) return all === 1 ? 'ticked' : 'all ticked'
  return ticked === 0 ? 'none ticked' : `${formatNumber(ticked)} ticked`
}

/** A date without a time. */
const datePattern = /^\d{4}-\d{2}-\d{2}$/

/** Returns a value as the lists show it; an empty text for an empty value. Links are shown by `ItemValue`. */
export function formatValue(field: ShownField | undefined, value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (Array.isArray(value)) return value.join(', ')
  const choice = field?.choices?.find((each) => each.value === value)
  if (choice) return choice.label
  const formatted = field?.format?.(value)
  if (formatted !== undefined) return formatted
  if (typeof value === 'string' && datePattern.test(value)) return formatShortDay(value)
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns the label of a field. Without a label of its kind, it is made from the name: "folder_id" becomes "Folder". */
export function getFieldLabel(fields: Readonly<Record<string, ShownField>> | undefined, name: string): string {
  const words = name.replace(/_id$/, '').replaceAll('_', ' ')
  return fields?.[name]?.label ?? words.charAt(0).toUpperCase() + words.slice(1)
}

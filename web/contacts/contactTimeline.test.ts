import { expect, test } from 'vitest'
import type { TimelineEntry } from '#contract/changes.ts'
import { describeEntry } from '#web/records/panel/timelineText.ts'
import { contactKind } from './contactKind.tsx'

/** An entry of the timeline of a contact. `reversal` says whether an undo, a redo or a restore made the change. */
const entry: TimelineEntry = {
  change: '01930000-0000-7000-8000-0000000000e1',
  at: '2026-11-20T09:00:00.000Z',
  actor: 'user:1',
  actor_name: null,
  label: 'Updated contact',
  reversal: null,
  table: 'crm_contacts',
  operation: 'updated',
  columns: [],
}
/** Returns the lines that describe the entry with these changed fields. */
const describeLines = (more: Partial<TimelineEntry>): string[] =>
  describeEntry(contactKind, { ...entry, ...more }).map(({ text, value }) => (value ? `${text} ${value}` : text))
const makeColumn = (name: string, after: unknown, before: unknown = ''): TimelineEntry['columns'][number] => ({ name, before, after })

test.each([
  ['created', null, 'Added contact', 'Contact created'],
  ['created', 'undo', 'Undone: Deleted 1 contact', 'Undone: contact is back'],
  ['created', 'redo', 'Redone: Added contact', 'Redone: contact is back'],
  ['created', 'restore', 'Restored', 'Restored'],
  ['deleted', null, 'Deleted 1 contact', 'Deleted'],
  ['deleted', null, 'Undone', 'Deleted'], // only `reversal` counts, not the label
  ['deleted', 'undo', 'Undone: Added contact', 'Undone: contact removed'],
  ['deleted', 'redo', 'Redone: Deleted 1 contact', 'Redone: contact removed'],
] as const)('a contact that was %s (reversal: %s) in the change "%s" is described as "%s"', (operation, reversal, label, line) => {
  expect(describeLines({ operation, reversal, label })).toEqual([line])
})

test('a change is shown with the field and its new value', () => {
  expect(describeLines({ columns: [makeColumn('phone', '+44 20 7946 0118')] })).toEqual(['Phone changed to +44 20 7946 0118'])
  expect(describeLines({ columns: [makeColumn('phone', '', '+44')] })).toEqual(['Phone cleared'])
})

test('the entry of a merge says so before the values that it has changed', () => {
  const columns = [makeColumn('phone', '+44 20 7946 0118'), makeColumn('raw_data', {})]
  const merge = { label: 'Merged 2 contacts', columns }
  expect(describeLines(merge)).toEqual(['Merged with another contact', 'Phone changed to +44 20 7946 0118'])
  expect(describeLines({ ...merge, columns: columns.slice(1) })).toEqual(['Merged with another contact'])
  expect(describeLines({ ...merge, label: 'Undone: Merged 2 contacts', reversal: 'undo', columns: columns.slice(1) })).toEqual([
    'Undone',
    'Merged with another contact',
  ])
  // another contact, of which the merge has only changed the manager
  expect(describeLines({ ...merge, columns: [makeColumn('reports_to_id', '01930000')] })).toEqual(['Reports to changed'])
})

test('ids, texts of long fields and unknown values are not shown', () => {
  expect(describeLines({ columns: [makeColumn('description', 'A long story'), makeColumn('reports_to_id', '01930000')] })).toEqual([
    'Description changed',
    'Reports to changed',
  ])
  // two nulls mean that the journal no longer contains the values
  expect(describeLines({ columns: [makeColumn('company', null, null)] })).toEqual(['Company changed'])
  // a value is cut after 80 characters
  expect(describeLines({ columns: [makeColumn('company', 'x'.repeat(90))] })).toEqual([`Company changed to ${'x'.repeat(80)}…`])
})

test('a changed link to a company is described when the name of the company did not change', () => {
  expect(describeLines({ columns: [makeColumn('company_id', '01930000', null)] })).toEqual(['Company linked'])
  expect(describeLines({ columns: [makeColumn('company_id', null, '01930000')] })).toEqual(['Company no longer linked'])
  expect(describeLines({ columns: [makeColumn('company_id', null, null)] })).toEqual(['Company changed'])
})

test('with more than three changed fields, the third line lists the names of the third and later fields', () => {
  const columns = ['email', 'phone', 'title', 'company', 'department'].map((name) => makeColumn(name, name.toUpperCase()))
  expect(describeLines({ columns })).toEqual(['Email changed to EMAIL', 'Phone changed to PHONE', 'Title, company and department changed'])
})

test('columns without a label are not shown', () => {
  expect(describeLines({ columns: [makeColumn('phone_key', '+44'), makeColumn('phone', '+44')] })).toEqual(['Phone changed to +44'])
  expect(describeLines({ columns: [makeColumn('phone_key', '+44')] })).toEqual(['Changed'])
})

test.each([
  ['undo', 'Undone: Updated contact', 'Undone'],
  ['redo', 'Redone: Updated contact', 'Redone'],
  ['restore', 'Restored', 'Restored'],
] as const)('a change by %s has its own first line, before the lines of the fields', (reversal, label, firstLine) => {
  expect(describeLines({ reversal, label, columns: [makeColumn('title', 'Owner')] })).toEqual([firstLine, 'Title changed to Owner'])
})

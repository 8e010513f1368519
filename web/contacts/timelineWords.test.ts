import { expect, test } from 'vitest'
import type { TimelineEntry } from '#contract/changes.ts'
import { timelineWords } from './timelineWords.ts'

const entry: TimelineEntry = {
  change: '01930000-0000-7000-8000-0000000000e1',
  at: '2026-11-20T09:00:00.000Z',
  actor: 'user:1',
  label: 'Updated contact',
  table: 'crm_contacts',
  operation: 'updated',
  columns: [],
}
const told = (more: Partial<TimelineEntry>): string[] =>
  timelineWords({ ...entry, ...more }).map(({ words, value }) => (value ? `${words} ${value}` : words))
const column = (name: string, after: unknown, before: unknown = ''): TimelineEntry['columns'][number] => ({ name, before, after })

test.each([
  ['created', 'Added contact', 'Contact created'],
  ['created', 'Undone', 'Restored'],
  ['created', 'Restored', 'Restored'],
  ['deleted', 'Deleted 1 contact', 'Deleted'],
  ['deleted', 'Undone', 'Undone: contact removed'],
] as const)('%s under the label "%s" is told as "%s"', (operation, label, words) => {
  expect(told({ operation, label })).toEqual([words])
})

test('a change names the field and its new value', () => {
  expect(told({ columns: [column('phone', '+44 20 7946 0118')] })).toEqual(['Phone changed to +44 20 7946 0118'])
  expect(told({ columns: [column('phone', '', '+44')] })).toEqual(['Phone cleared'])
})

test('values that say nothing or too much are left out', () => {
  expect(told({ columns: [column('description', 'A long story'), column('reports_to_id', '01930000')] })).toEqual([
    'Description changed',
    'Reports to changed',
  ])
  expect(told({ columns: [column('company', null, null)] })).toEqual(['Company changed'])
  expect(told({ columns: [column('company', 'x'.repeat(90))] })).toEqual([`Company changed to ${'x'.repeat(80)}…`])
})

test('many fields are listed', () => {
  const columns = ['email', 'phone', 'title', 'company', 'department'].map((name) => column(name, name.toUpperCase()))
  expect(told({ columns })).toEqual(['Email changed to EMAIL', 'Phone changed to PHONE', 'Title, company and department changed'])
})

test('columns that people never see are not told', () => {
  expect(told({ columns: [column('phone_key', '+44'), column('phone', '+44')] })).toEqual(['Phone changed to +44'])
  expect(told({ columns: [column('phone_key', '+44')] })).toEqual(['Changed'])
})

test('an undo says so first', () => {
  expect(told({ label: 'Undone', columns: [column('title', 'Owner')] })).toEqual(['Undone', 'Title changed to Owner'])
})

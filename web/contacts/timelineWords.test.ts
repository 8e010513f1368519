import { expect, test } from 'vitest'
import type { TimelineEntry } from '#contract/changes.ts'
import { timelineWords } from './timelineWords.ts'

const entry: TimelineEntry = {
  change: '01930000-0000-7000-8000-0000000000e1',
  at: '2026-11-20T09:00:00.000Z',
  actor: 'user:1',
  label: 'Updated contact',
  by: null,
  table: 'crm_contacts',
  operation: 'updated',
  columns: [],
}
const told = (more: Partial<TimelineEntry>): string[] =>
  timelineWords({ ...entry, ...more }).map(({ words, value }) => (value ? `${words} ${value}` : words))
const column = (name: string, after: unknown, before: unknown = ''): TimelineEntry['columns'][number] => ({ name, before, after })

test.each([
  ['created', null, 'Added contact', 'Contact created'],
  ['created', 'undo', 'Undone: Deleted 1 contact', 'Undone: contact is back'],
  ['created', 'redo', 'Redone: Added contact', 'Redone: contact is back'],
  ['created', 'restore', 'Restored', 'Restored'],
  ['deleted', null, 'Deleted 1 contact', 'Deleted'],
  ['deleted', null, 'Undone', 'Deleted'],
  ['deleted', 'undo', 'Undone: Added contact', 'Undone: contact removed'],
  ['deleted', 'redo', 'Redone: Deleted 1 contact', 'Redone: contact removed'],
] as const)('%s by %s, labelled "%s", is told as "%s"', (operation, by, label, words) => {
  expect(told({ operation, by, label })).toEqual([words])
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

test('a link to a company without a change of its name is told as such', () => {
  expect(told({ columns: [column('company_id', '01930000')] })).toEqual(['Linked company changed'])
})

test('many fields are listed', () => {
  const columns = ['email', 'phone', 'title', 'company', 'department'].map((name) => column(name, name.toUpperCase()))
  expect(told({ columns })).toEqual(['Email changed to EMAIL', 'Phone changed to PHONE', 'Title, company and department changed'])
})

test('columns that people never see are not told', () => {
  expect(told({ columns: [column('phone_key', '+44'), column('phone', '+44')] })).toEqual(['Phone changed to +44'])
  expect(told({ columns: [column('phone_key', '+44')] })).toEqual(['Changed'])
})

test.each([
  ['undo', 'Undone: Updated contact', 'Undone'],
  ['redo', 'Redone: Updated contact', 'Redone'],
  ['restore', 'Restored', 'Restored'],
] as const)('%s says so before the fields', (by, label, words) => {
  expect(told({ by, label, columns: [column('title', 'Owner')] })).toEqual([words, 'Title changed to Owner'])
})

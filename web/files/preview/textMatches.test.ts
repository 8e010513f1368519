import { expect, test } from 'vitest'
import { findMatches } from './textMatches.ts'

const found = (text: string, search: string): string[] => findMatches(text, search).map(({ start, end }) => text.slice(start, end))

test.each([
  ['A lowered section and a lower part', 'lower', ['lower', 'lower']],
  ['A lowered section is lowered', 'section lowered', ['lowered section', 'lowered']], // found words side by side are one match
  ['The flower is not found by a part inside of a word', 'lower', []],
  ['Café, CAFE and cafe\u0301', 'café', ['Café', 'CAFE', 'cafe\u0301']],
  ['The ﬁnal oﬀer', 'final', ['ﬁnal']],
  ['Grüße aus Köln', 'KOLN', ['Köln']],
  ['a line\nbreak', 'line break', ['line\nbreak']],
  ['(oak), "oak"', 'oak', ['oak', 'oak']],
  ['Müller and Straße', 'mueller strasse', ['Müller', 'Straße']],
  ['Room 1 of 12', '1', ['1']], // a single letter or digit must be a whole word
  ['nothing', '', []],
  ['nothing', ' ... ', []],
])('in %j the search %j finds %j', (text, search, expected) => {
  expect(found(text, search)).toEqual(expected)
})

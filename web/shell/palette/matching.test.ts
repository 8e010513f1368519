import { expect, test } from 'vitest'
import { splitAndCutStart, splitByMatch, rankMatch, splitIntoWords } from './matching.ts'

/** Writes the matching parts of a text in brackets. */
const markMatches = (text: string, typedText: string): string =>
  splitByMatch(text, splitIntoWords(typedText))
    .map((piece) => (piece.matches ? `[${piece.text}]` : piece.text))
    .join('')

test.each([
  ['imara@quillstone.example', 'quill', 'imara@[quill]stone.example'],
  ['Quillstone Dental', 'QUILL dent', '[Quill]stone [Dent]al'],
  ['Jürgen Müller', 'muller', 'Jürgen [Müller]'],
  ['Jürgen Müller', 'mueller', 'Jürgen [Müller]'],
  ['Straße', 'strasse', '[Straße]'],
  ['+44 20 7946 0118', '79460118', '+44 20 [7946 0118]'],
  ['+44 20 7946 0118', '0118', '+44 20 7946 [0118]'],
  ['Zoë 🦉 Wren', 'wren', 'Zoë 🦉 [Wren]'],
  // a match at the beginning of a word is preferred to an earlier one inside a word
  ['Sliding doors for Gristmill', 'g', 'Sliding doors for [G]ristmill'],
  ['Nobody', 'else', 'Nobody'],
])('in "%s", the typed text "%s" is highlighted as %s', (text, typedText, expected) => {
  expect(markMatches(text, typedText)).toBe(expected)
})

test.each([
  ['Add contact', 'add', 0],
  ['Add contact', 'con', 1],
  ['Add contact', 'contact add', 1],
  ['Add contact', 'tact', 2],
  ['Add contact', 'ta', undefined], // two letters match only at the beginning of a word
  ['Add contact', 'deal', undefined],
])('the label "%s" matches the typed text "%s" with rank %s', (text, typedText, rank) => {
  expect(rankMatch(text, splitIntoWords(typedText))).toBe(rank)
})

test('the start of a long text is cut off, so that at most 24 letters stand before the first match', () => {
  const cut = (text: string, typedText: string): string =>
    splitAndCutStart(text, splitIntoWords(typedText))
      .map((piece) => piece.text)
      .join('')
  expect(cut('Spoke with the site manager. Wants the oak samples', 'oak')).toBe('…manager. Wants the oak samples')
  expect(cut('Wants the oak samples', 'oak')).toBe('Wants the oak samples')
  expect(cut('Spoke with the site manager. Wants the ash samples', 'oak')).toBe('Spoke with the site manager. Wants the ash samples')
})

import { expect, test } from 'vitest'
import { findTypedMention, insertMention } from './mentions.ts'

const find = (text: string) => findTypedMention(text, text.length)

test.each([
  ['@', ''],
  ['Ask @Ima', 'Ima'],
  ['Ask @Imara Van', 'Imara Van'],
  ['(@Ima', 'Ima'],
  ['First line\n@Ima', 'Ima'],
])('"%s" ends with the mention "%s"', (text, search) => expect(find(text)?.search).toBe(search))

test('a mention has at most three words, so that it ends when the sentence goes on', () => {
  expect(find('@Imara Vantongeren said')?.search).toBe('Imara Vantongeren said')
  expect(find('@Imara Vantongeren said that')).toBeUndefined()
})

test.each(['imara@example.org', 'Ask Imara', '@Ima\nAsk'])('"%s" ends with no mention', (text) => expect(find(text)).toBeUndefined())

test('the mention is the text before the cursor, also in the middle of the message', () => {
  const text = 'Ask @Ima about the desk'
  expect(findTypedMention(text, 8)).toEqual({ search: 'Ima', start: 4, end: 8 })
})

test('a chosen record replaces what was typed, with one space behind it', () => {
  const text = 'Ask @Ima about the desk'
  expect(insertMention(text, { search: 'Ima', start: 4, end: 8 }, 'Imara Vantongeren')).toEqual({
    text: 'Ask @Imara Vantongeren about the desk',
    cursor: 23,
  })
})

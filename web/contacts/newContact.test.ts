import { expect, test } from 'vitest'
import { parseFields } from './newContact.ts'

test.each([
  ['quill', { first_name: 'quill' }],
  [' Ada Lovelace ', { first_name: 'Ada', last_name: 'Lovelace' }],
  ['Anna Maria de Souza', { first_name: 'Anna Maria de', last_name: 'Souza' }], // unlike in imports, only the last word is the last name
  ['imara@quillstone.example', { email: 'imara@quillstone.example' }],
  ['+44 20 7946 0118', { phone: '+44 20 7946 0118' }],
  ['', {}],
])('the typed text "%s" is converted to the fields %j', (typedText, fields) => {
  expect(parseFields(typedText)).toEqual(fields)
})

import { expect, test } from 'vitest'
import { describeReason } from './fileText.ts'

test('only a file that can be a scan is said to be one', () => {
  const sentences = ['pdf', 'docx', 'txt', 'csv'].map((file_type) => describeReason({ file_type }, 'no_text'))
  const mayBeScan = 'The file has no text. It may be a scan or a picture.'
  expect(sentences).toEqual([mayBeScan, mayBeScan, 'The file has no text.', 'The file has no text.'])
})

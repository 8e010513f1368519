import { expect, test } from 'vitest'
import { decodeText } from './textContent.ts'

test.each([
  ['UTF-8', [0xc3, 0xa4], 'ä'],
  ['UTF-8 with a byte order mark', [0xef, 0xbb, 0xbf, 0x61], 'a'],
  ['UTF-16, little-endian', [0xff, 0xfe, 0xe4, 0x00], 'ä'],
  ['UTF-16, big-endian', [0xfe, 0xff, 0x00, 0xe4], 'ä'],
  ['Windows-1252', [0x80, 0xe4], '€ä'],
  ['an empty file', [], ''],
])('%s is decoded', (_name, bytes, text) => {
  expect(decodeText(Uint8Array.from(bytes))).toBe(text)
})

test('bytes with a zero are not text', () => {
  expect(decodeText(Uint8Array.from([0x50, 0x4b, 0x00, 0x01]))).toBeUndefined()
})

test('a character that is cut at the end of the shown part does not change the encoding', () => {
  const isCut = true // the last byte is the first half of a character
  expect(decodeText(Uint8Array.from([0xc3, 0xa4, 0xc3]), isCut)).toBe('ä')
})

import { expect, test } from 'vitest'
import { createSeal } from './seal.ts'

const installationKey = 'the key of an installation in tests'
const { seal, unseal } = createSeal(installationKey, 'AI keys')

test.each(['a-key', '', 'ключ 🔑', 'x'.repeat(10_000)])('a sealed text can be read again: %.20s', (text) => {
  expect(unseal(seal(text, ['ada']), ['ada'])).toBe(text)
})

test('a sealed text does not contain the text, and the same text is sealed differently each time', () => {
  const sealed = seal('opensesame', ['ada'])
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('opensesame')
  expect(seal('opensesame', ['ada'])).not.toBe(sealed)
})

test('a sealed text cannot be read for another owner, another purpose or another key of the installation', () => {
  const sealed = seal('a-key', ['ada', 'https://ai.example'])
  expect(unseal(sealed, ['grace', 'https://ai.example'])).toBeUndefined()
  expect(unseal(sealed, ['ada', 'https://other.example'])).toBeUndefined()
  expect(unseal(sealed, ['ada https://ai.example'])).toBeUndefined()
  expect(createSeal(installationKey, 'other keys').unseal(sealed, ['ada', 'https://ai.example'])).toBeUndefined()
  expect(createSeal('another key of the installation', 'AI keys').unseal(sealed, ['ada', 'https://ai.example'])).toBeUndefined()
})

test('a text that was altered in any byte, cut or never sealed cannot be read', () => {
  const bytes = Buffer.from(seal('a-key', ['ada']), 'base64url')
  for (let index = 0; index < bytes.length; index++) {
    const altered = Buffer.from(bytes)
    altered[index] = (altered[index] ?? 0) ^ 1
    expect(unseal(altered.toString('base64url'), ['ada'])).toBeUndefined()
    expect(unseal(bytes.subarray(0, index).toString('base64url'), ['ada'])).toBeUndefined()
  }
  for (const text of ['', 'a-key', '!', 'x'.repeat(200)]) expect(unseal(text, ['ada'])).toBeUndefined()
})

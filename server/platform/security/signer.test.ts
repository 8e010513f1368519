import { expect, test } from 'vitest'
import { createSigner } from './signer.ts'

const installationKey = 'the key of an installation in tests'
// A token is a text and its signature in base64url, separated by a point.

const now = new Date('2026-11-22T12:00:00Z')
const later = new Date('2026-11-22T12:01:00Z')

test('the text of a token can be read until the token expires', () => {
  const signer = createSigner(installationKey, 'links')
  const token = signer.sign('zażółć\n1 2', later)
  expect(token).toMatch(/^[\w-]+\.[\w-]{43}$/)
  expect(signer.verify(token, now)).toEqual({ text: 'zażółć\n1 2' })
  expect(signer.verify(token, new Date(later.getTime() - 1))).toEqual({ text: 'zażółć\n1 2' })
  expect(signer.verify(token, later)).toBe('expired')
})

test('a token of another key or purpose, and an altered token, are unknown', () => {
  const signer = createSigner(installationKey, 'links')
  const token = signer.sign('text', later)
  const others = [
    createSigner(installationKey, 'mails').sign('text', later),
    createSigner(`${installationKey}!`, 'links').sign('text', later),
  ]
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  // the last letter has two bits that do not belong to the signature
  const lastReplaced = letters
    .split('')
    .filter((letter) => !token.endsWith(letter))
    .map((letter) => token.slice(0, -1) + letter)
  for (const unknownToken of [
    ...others,
    ...lastReplaced,
    `${token}=`,
    `${token}A`.replace('.', 'A.'),
    token.slice(0, -2),
    `${token}.more`,
    '',
    '.',
    'a.b',
    token.split('.')[0] ?? '',
  ])
    expect(signer.verify(unknownToken, now), unknownToken).toBe('unknown')
})

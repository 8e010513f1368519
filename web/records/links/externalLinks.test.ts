import { toMailtoLink, toTelLink } from './externalLinks.ts'
import { expect, test } from 'vitest'

test.each([
  ['+44 20 7946 0118', 'tel:+442079460118'],
  ['(030) 901820', 'tel:030901820'],
  ['+44 (0)20 7946 0118', 'tel:+442079460118'],
  ['0044 (0) 20 7946 0118', 'tel:00442079460118'],
  ['+39 (0)6 6982', 'tel:+39066982'], // numbers in Italy keep their zero
  ['(0)20 7946 0118', 'tel:02079460118'],
  ['+49 7571 9999 ext. 12', 'tel:+4975719999;ext=12'],
  ['555-0100 x7', 'tel:5550100;ext=7'], // "x" means "extension"
])('the link that calls the phone number %s is %s', (phone, expected) => {
  expect(toTelLink(phone)).toBe(expected)
})

test('an email address cannot add headers such as bcc to the mail', () => {
  expect(toMailtoLink('imara@quillstone.example')).toBe('mailto:imara@quillstone.example')
  expect(toMailtoLink('a?bcc=b@example.org')).toBe('mailto:a%3Fbcc=b@example.org')
})

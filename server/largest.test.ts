// The largest record of each kind that the contract allows, in several scripts, must fit into all indexes.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tagLimits } from '#contract/records.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { createRandom } from '#server/testing/random.ts'
import { recordsOf } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})

type Write = (length: number) => string

const random = createRandom(5)
const between = (first: number, last: number): string => String.fromCodePoint(first + random.below(last - first + 1))

/** Returns a function that generates words of `wordLength` random letters, which cannot be compressed. */
const letters =
  (first: number, last: number, wordLength = Infinity): Write =>
  (length) => {
    let text = ''
    for (let place = 0; text.length < length; place++) text += place % (wordLength + 1) === wordLength ? ' ' : between(first, last)
    return text.slice(0, length).toWellFormed().replaceAll('\u{FFFD}', 'x')
  }

/** Returns a function that generates words with a letter that can be written as two, which are indexed in both spellings. */
const inBothSpellings =
  (write: Write): Write =>
  (length) =>
    `ä${write(length - 1)}`

const scripts: [string, Write][] = [
  ['Latin in one word', letters(0x61, 0x7a)],
  ['Latin in short words', letters(0x61, 0x7a, 5)],
  ['umlauts', letters(0xe0, 0xf6)],
  ['digits', letters(0x30, 0x39)],
  ['Cyrillic', letters(0x430, 0x44f, 8)],
  ['Chinese', letters(0x4e00, 0x9fff)],
  ['Chinese in short words', letters(0x4e00, 0x9fff, 1)],
  ['Korean', letters(0xac00, 0xd7a3)],
  ['rare Chinese of four bytes', letters(0x20000, 0x2a6df)],
  ['letters that are folded to several', letters(0x3380, 0x33dd)],
  ['Arabic ligatures', letters(0xfb50, 0xfbb1)],
  ['an umlaut before Chinese', inBothSpellings(letters(0x4e00, 0x9fff))],
  ['an umlaut before letters that are folded to several', inBothSpellings(letters(0x3380, 0x33dd))],
]

const tagsIn = (write: Write): string[] => Array.from({ length: tagLimits.count }, () => write(tagLimits.length))
const longEmail = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`.slice(0, 254)

describe.each(scripts)('in %s', (_name, write) => {
  const prose = (): string => write(20_000)

  test('a contact', async () => {
    const line = (): string => write(200)
    const added = await recordsOf(ada, '/api/contacts').post('', {
      first_name: write(100),
      last_name: write(100),
      email: longEmail,
      phone: write(50),
      mobile_phone: write(50),
      company: line(),
      title: line(),
      department: line(),
      mailing_street: line(),
      mailing_city: line(),
      mailing_state: line(),
      mailing_postal_code: line(),
      mailing_country: line(),
      description: prose(),
      tags: tagsIn(write),
    })
    expect(added.statusCode, added.body).toBe(201)
  })

  test('a company', async () => {
    const website = `https://example.org/${write(250).replaceAll(' ', '-')}`
    const fields = { name: write(200), industry: write(200), website, phone: write(50), email: longEmail, tags: tagsIn(write) }
    const added = await recordsOf(ada, '/api/companies').post('', fields)
    expect(added.statusCode, added.body).toBe(201)
  })

  test('a deal', async () => {
    const added = await recordsOf(ada, '/api/deals').post('', { title: write(200), description: prose(), tags: tagsIn(write) })
    expect(added.statusCode, added.body).toBe(201)
  })

  test('a task', async () => {
    const added = await recordsOf(ada, '/api/tasks').post('', { title: write(200), description: prose() })
    expect(added.statusCode, added.body).toBe(201)
  })

  test('a note', async () => {
    const contact = await recordsOf(ada, '/api/contacts').add({ first_name: 'Ada', last_name: 'Lovelace' })
    const added = await recordsOf(ada, '/api/notes').post('', { contact_id: contact.id, content: prose() })
    expect(added.statusCode, added.body).toBe(201)
  })

  test('a view', async () => {
    const added = await recordsOf(ada, '/api/views').post('', { list: 'contacts', name: write(100), address: write(16_000) })
    expect(added.statusCode, added.body).toBe(201)
  })
})

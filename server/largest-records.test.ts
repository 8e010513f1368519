// For each kind the largest record that the contract allows can be stored: its values fit into all indexes, in every writing system.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tagLimits } from '#contract/fields.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { createRandom } from '#server/testing/random.ts'
import { addFile } from '#server/testing/files.ts'
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

/** Generates a text of this length, in UTF-16 units. */
type TextGenerator = (length: number) => string

const random = createRandom(5) // a fixed seed, so that each run generates the same texts
const randomLetter = (first: number, last: number): string => String.fromCodePoint(first + random.below(last - first + 1))

/**
 * Returns a generator of words with `wordLength` random letters between two code points. PostgreSQL cannot make random letters smaller by
 * compression.
 */
const randomWords =
  (first: number, last: number, wordLength = Infinity): TextGenerator =>
  (length) => {
    let text = ''
    for (let index = 0; text.length < length; index++) {
      const isBetweenWords = index % (wordLength + 1) === wordLength
      text += isBetweenWords ? ' ' : randomLetter(first, last)
    }
    // the cut may split a letter of two UTF-16 units
    return text.slice(0, length).toWellFormed().replaceAll('\u{FFFD}', 'x')
  }

/**
 * Returns a generator of texts that begin with an umlaut. Searches find a word with an umlaut in two spellings, so the index holds both.
 */
const umlautBefore =
  (generate: TextGenerator): TextGenerator =>
  (length) =>
    `ä${generate(length - 1)}`

const writingSystems: [string, TextGenerator][] = [
  ['Latin in one word', randomWords(0x61, 0x7a)],
  ['Latin in short words', randomWords(0x61, 0x7a, 5)],
  ['Latin letters with accents', randomWords(0xe0, 0xf6)],
  ['digits', randomWords(0x30, 0x39)],
  ['Cyrillic', randomWords(0x430, 0x44f, 8)],
  ['Chinese', randomWords(0x4e00, 0x9fff)],
  ['Chinese in short words', randomWords(0x4e00, 0x9fff, 1)],
  ['Korean', randomWords(0xac00, 0xd7a3)],
  ['rare Chinese of four bytes', randomWords(0x20000, 0x2a6df)],
  ['characters that become several letters without their accents', randomWords(0x3380, 0x33dd)],
  ['Arabic ligatures', randomWords(0xfb50, 0xfbb1)],
  ['an umlaut before Chinese', umlautBefore(randomWords(0x4e00, 0x9fff))],
  ['an umlaut before characters that become several letters', umlautBefore(randomWords(0x3380, 0x33dd))],
]

const randomTags = (generate: TextGenerator): string[] => Array.from({ length: tagLimits.count }, () => generate(tagLimits.length))
const longEmail = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`.slice(0, 254)

describe.each(writingSystems)('with text in %s', (_name, generate) => {
  const prose = (): string => generate(20_000)

  test('the largest lead form and answer can be stored', async () => {
    const fields = { title: generate(200), description: prose(), success_message: prose() }
    const form = await recordsOf(ada, '/api/lead-forms').post('', fields)
    expect(form.statusCode, form.body).toBe(201)
    // inserted, because the form accepts an answer only after some seconds
    await app.tableOwner.query('insert into form_submissions (user_id, form_id, name, email, summary) values ($1, $2, $3, $4, $5)', [
      ada.id,
      form.json().id,
      `${generate(100)} ${generate(100)}`,
      longEmail,
      generate(300),
    ])
  })

  test('the largest contact can be stored', async () => {
    const line = (): string => generate(200)
    const response = await recordsOf(ada, '/api/contacts').post('', {
      first_name: generate(100),
      last_name: generate(100),
      email: longEmail,
      phone: `1${generate(49)}`,
      mobile_phone: `1${generate(49)}`,
      company: line(),
      title: line(),
      department: line(),
      mailing_street: line(),
      mailing_city: line(),
      mailing_state: line(),
      mailing_postal_code: line(),
      mailing_country: line(),
      description: prose(),
      tags: randomTags(generate),
    })
    expect(response.statusCode, response.body).toBe(201)
  })

  test('the largest company can be stored', async () => {
    const website = `https://example.org/${generate(250).replaceAll(' ', '-')}`
    const fields = {
      name: generate(200),
      industry: generate(200),
      website,
      phone: `1${generate(49)}`,
      email: longEmail,
      tags: randomTags(generate),
    }
    const response = await recordsOf(ada, '/api/companies').post('', fields)
    expect(response.statusCode, response.body).toBe(201)
  })

  test('the largest deal can be stored', async () => {
    const response = await recordsOf(ada, '/api/deals').post('', { title: generate(200), description: prose(), tags: randomTags(generate) })
    expect(response.statusCode, response.body).toBe(201)
  })

  test('the largest task can be stored', async () => {
    const response = await recordsOf(ada, '/api/tasks').post('', { title: generate(200), description: prose() })
    expect(response.statusCode, response.body).toBe(201)
  })

  test('the largest booking and booking link can be stored', async () => {
    const link = await recordsOf(ada, '/api/booking-links').post('', { title: generate(200), description: prose() })
    expect(link.statusCode, link.body).toBe(201)
    const booking = await recordsOf(ada, '/api/bookings').post('', {
      title: generate(200),
      description: prose(),
      start_time: '2026-12-01T09:00:00Z',
      end_time: '2026-12-01T09:30:00Z',
      attendee_name: generate(200),
      attendee_email: longEmail,
      attendee_phone: `1${generate(49)}`,
      notes: prose(),
    })
    expect(booking.statusCode, booking.body).toBe(201)
  })

  test('the largest note can be stored', async () => {
    const contact = await recordsOf(ada, '/api/contacts').add({ first_name: 'Ada', last_name: 'Lovelace' })
    const response = await recordsOf(ada, '/api/notes').post('', { contact_id: contact.id, content: prose() })
    expect(response.statusCode, response.body).toBe(201)
  })

  test('a folder and a file with the longest names can be stored', async () => {
    const folder = await recordsOf(ada, '/api/folders').add({ name: generate(200) })
    const file = await addFile(ada, { file_name: generate(300), folder_id: folder.id })
    expect(file.file_name.length).toBeGreaterThan(50) // a name is cut to 255 bytes, which are at least 63 characters
  })

  test('a conversation with the longest title and a message with the longest text can be stored', async () => {
    const conversation = await recordsOf(ada, '/api/conversations').add({ title: generate(200) })
    const { rowCount } = await app.tableOwner.query(
      `insert into messages (user_id, conversation_id, number, role, content) values ($1, $2, 1, 'assistant', $3)`,
      [ada.id, conversation.id, generate(400_000)],
    )
    expect(rowCount).toBe(1)
  })

  test('the largest view can be stored', async () => {
    const response = await recordsOf(ada, '/api/views').post('', { list: 'contacts', name: generate(100), address: generate(16_000) })
    expect(response.statusCode, response.body).toBe(201)
  })
})

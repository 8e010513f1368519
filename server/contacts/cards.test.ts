// The export of contacts as vCards (RFC 2426), a text format that address books import.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
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

const exportCards = (payload: Record<string, unknown>) => recordsOf(ada, '/api/contacts').post('/export-cards', payload)

/** Stores a contact with texts that the routes would refuse today. */
async function addWithoutChecks(contact: {
  first_name: string
  last_name: string
  description: string
  tags: string[]
}): Promise<string[]> {
  const { rows } = await app.tableOwner.query<{ id: string }>(
    'insert into crm_contacts (user_id, first_name, last_name, description, tags) values ($1, $2, $3, $4, $5) returning id',
    [ada.id, contact.first_name, contact.last_name, contact.description, contact.tags],
  )
  return rows.map(({ id }) => id)
}

test('a vCard contains all fields of an address book, escaped', async () => {
  const { id } = await recordsOf(ada, '/api/contacts').add({
    first_name: 'Ann; Marie',
    last_name: 'Lee, Jr.',
    email: 'ann@example.org',
    phone: '+44 20 7946 0118',
    mobile_phone: '07700 900461',
    company: 'Back\\slash & Co',
    department: 'Sales',
    title: 'Buyer',
    mailing_street: '1 High St, Flat 2',
    mailing_city: 'London',
    mailing_postal_code: 'N1 1AA',
    description: 'one\ntwo; three',
    tags: ['VIP', 'a,b'],
  })
  const response = await exportCards({ ids: [id] })
  expect(response.headers).toMatchObject({
    'content-type': 'text/vcard; charset=utf-8',
    'content-disposition': 'attachment; filename=contacts.vcf',
  })
  expect(response.body.split('\r\n')).toEqual([
    'BEGIN:VCARD',
    'VERSION:3.0',
    `UID:urn:uuid:${id}`,
    String.raw`N:Lee\, Jr.;Ann\; Marie;;;`,
    String.raw`FN:Ann\; Marie Lee\, Jr.`,
    'EMAIL;TYPE=INTERNET:ann@example.org',
    'TEL;TYPE=WORK,VOICE:+44 20 7946 0118',
    'TEL;TYPE=CELL:07700 900461',
    String.raw`ORG:Back\\slash & Co;Sales`,
    'TITLE:Buyer',
    String.raw`ADR;TYPE=WORK:;;1 High St\, Flat 2;London;;N1 1AA;`,
    String.raw`NOTE:one\ntwo\; three`,
    String.raw`CATEGORIES:VIP,a\,b`,
    'END:VCARD',
    '',
  ])
})

test('a vCard keeps tabs and line breaks, and has no other control characters', async () => {
  const contact = {
    first_name: 'Ann\u0007',
    last_name: 'Lee\u001b[31m',
    description: 'one\u0085\u000b\ttab\u2028\r\ntwo\u007f',
    tags: ['V\u0001IP'],
  }
  const ids = await addWithoutChecks(contact)
  const { body } = await exportCards({ ids })
  expect(body.replaceAll('\r\n', '')).not.toMatch(/(?!\t)\p{Cc}/u) // no control character except a tab
  expect(body).toContain('N:Lee[31m;Ann;;;\r\n')
  expect(body).toContain('NOTE:one\ttab\u2028\\ntwo\r\n')
  expect(body).toContain('CATEGORIES:VIP\r\n')
})

test('empty fields are left out', async () => {
  const { id } = await recordsOf(ada, '/api/contacts').add({ first_name: 'Ann', last_name: 'Lee' })
  const names = (await exportCards({ ids: [id] })).body.split('\r\n').map((line) => line.split(':')[0])
  expect(names).toEqual(['BEGIN', 'VERSION', 'UID', 'N', 'FN', 'END', ''])
})

test.each(['x'.repeat(500), 'ü'.repeat(300), '漢字'.repeat(200), '👩‍👩‍👧😀'.repeat(60), `${'x'.repeat(69)}é${'€'.repeat(90)}`])(
  'a line longer than 75 bytes is continued on the next line after a space, and no character is split: %s',
  async (description) => {
    const { id } = await recordsOf(ada, '/api/contacts').add({ first_name: 'Ann', last_name: 'Lee', description })
    const { rawPayload, body } = await exportCards({ ids: [id] })
    expect(Buffer.from(body).equals(rawPayload)).toBe(true) // the bytes are valid UTF-8
    const lines = body.split('\r\n')
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
    expect(lines.filter((line) => line.startsWith(' ')).length).toBeGreaterThan(3)
    expect(body).not.toContain('\ufffd')
    expect(body.replaceAll('\r\n ', '')).toContain(`NOTE:${description}\r\n`)
  },
)

test('the file contains all matching contacts of the owner, sorted by name, and no contacts of other owners', async () => {
  const contacts = recordsOf(ada, '/api/contacts')
  for (const first_name of ['Zoe', 'Ann']) await contacts.add({ first_name, last_name: 'Lee', mailing_city: 'Paris' })
  await contacts.add({ first_name: 'Bob', last_name: 'Lee' })
  const { body } = await exportCards({ matching: { filter: [{ field: 'mailing_city', is: ['Paris'] }] } })
  expect([...body.matchAll(/^FN:(.*)$/gm)].map(([, name = '']) => name.trim())).toEqual(['Ann Lee', 'Zoe Lee'])
  const { body: emptyFile } = await exportCards({ matching: { search: 'nobody' } })
  expect(emptyFile).toBe('')
  const grace = await signInAs(app, 'grace')
  const { rows } = await contacts.list()
  const response = await recordsOf(grace, '/api/contacts').post('/export-cards', { ids: rows.map(({ id }) => id) })
  expect(response.json()).toMatchObject({ code: 'not_found' })
})

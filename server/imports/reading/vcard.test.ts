import { expect, test } from 'vitest'
import { encode, headersOf, readFile, summarise } from './testing.ts'
import { cardHeaders } from './vcard-cells.ts'

/** Returns the cells of the first card by their column. */
async function readCard(lines: readonly string[], content?: Buffer) {
  const text = ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n')
  const { description, rows } = await readFile(content ?? text, 'people.vcf')
  const [row] = rows
  if (row?.kind !== 'record') throw new Error(`The card is no record: ${JSON.stringify(row)}`)
  return Object.fromEntries(headersOf(description).map((header, index) => [header, row.cells[index]]))
}

test('a card of version 3.0 has all of its fields, except the picture, in columns', async () => {
  const card = await readCard([
    'VERSION:3.0',
    'N:Lovelace;Ada;King;Lady;',
    'FN:Ada Lovelace',
    'ORG:Engines\\, Inc.;Research',
    'item1.EMAIL;type=INTERNET:second@example.com',
    'EMAIL;TYPE=INTERNET,pref:ada@example.com',
    'TEL;TYPE=WORK,VOICE:+44 1',
    'TEL;TYPE=CELL:+44 2',
    'TEL;TYPE=WORK,FAX:+44 3',
    'TEL;TYPE=CELL:+44 4',
    'ADR;TYPE=WORK:;Floor 2;1 St James Sq;London;;SW1;UK',
    'ADR;TYPE=HOME:;;2 Home Rd;Ockham;Surrey;;UK',
    'NOTE:One\\nTwo',
    'CATEGORIES:vip,maths',
    'X-SKYPE:ada',
    'PHOTO;ENCODING=b;TYPE=JPEG:AAAA',
    ' BBBB',
    'URL:https://example',
    ' .com/ada',
  ])
  expect(card).toEqual({
    'Name prefix': 'Lady',
    'First name': 'Ada',
    'Middle name': 'King',
    'Last name': 'Lovelace',
    'Full name': 'Ada Lovelace',
    Company: 'Engines, Inc.',
    Department: 'Research',
    Email: 'ada@example.com',
    'Email 2': 'second@example.com',
    'Work phone': '+44 1',
    'Mobile phone': '+44 2',
    Fax: '+44 3',
    'Other phones': '+44 4',
    Street: '1 St James Sq, Floor 2',
    City: 'London',
    'Postal code': 'SW1',
    Country: 'UK',
    'Other addresses': '2 Home Rd, Ockham, Surrey, UK',
    Website: 'https://example.com/ada',
    Tags: 'vip, maths',
    Notes: 'One\nTwo',
    'Other fields': 'X-SKYPE: ada',
  })
})

test('quoted-printable values, charsets and types without a name are read in version 2.1', async () => {
  const card = await readCard([
    'VERSION:2.1',
    'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=',
    '=C3=BCrgen',
    'TITLE;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:Gesch=E4ftsf=FChrer',
    'TEL;CELL;PREF:1',
    'TEL;HOME;VOICE:2',
    'PHOTO;JPEG;ENCODING=BASE64:',
    '  AAAA',
    '',
    'NOTE;ENCODING=QUOTED-PRINTABLE:One=0D=0ATwo=3D2',
  ])
  expect(card).toEqual({
    'First name': 'Jürgen',
    'Last name': 'Müller',
    Title: 'Geschäftsführer',
    'Mobile phone': '1',
    'Home phone': '2',
    Notes: 'One\r\nTwo=2',
  })
  const latin = encode('BEGIN:VCARD\nVERSION:2.1\nN:Müller;Jürgen\nEND:VCARD\n', 'windows-1252')
  expect(await readCard([], latin)).toEqual({ 'First name': 'Jürgen', 'Last name': 'Müller' })
})

test('addresses as links, and preferences as numbers, are read in version 4.0', async () => {
  const card = await readCard([
    'VERSION:4.0',
    'FN:Grace Hopper',
    'TEL;VALUE=uri;PREF=2;TYPE="voice,cell":tel:+1-555-1',
    'TEL;VALUE=uri;PREF=1;TYPE=cell:tel:+1-555-2',
    'EMAIL:mailto:grace@example.com',
    'ADR;LABEL="a: b; c":;;Main St;NYC;NY;10001;USA',
  ])
  expect(card).toMatchObject({ 'Mobile phone': '+1-555-2', 'Other phones': '+1-555-1', Email: 'grace@example.com', Street: 'Main St' })
})

test('cards without an end are broken, and groups, empty cards and other texts are skipped', async () => {
  const text = [
    'hello',
    'BEGIN:VCARD',
    'FN:Never closed',
    'BEGIN:VCARD',
    'FN:Ann',
    'END:VCARD',
    'BEGIN:VCARD',
    'END:VCARD',
    'BEGIN:VCARD',
    'X-ADDRESSBOOKSERVER-KIND:group',
    'FN:Friends',
    'END:VCARD',
    'BEGIN:VCARD',
    'FN:Last',
  ].join('\n')
  const { rows } = await readFile(text, 'people.vcf')
  expect(summarise(rows)).toEqual([
    '1 skipped unrecognised',
    '2 broken unclosed_card',
    ['Ann'],
    '7 skipped empty',
    '9 skipped unrecognised',
    '13 broken unclosed_card',
  ])
})

test('a card with pictures of megabytes is read, and one with a note of megabytes is broken', async () => {
  const photo = `PHOTO;ENCODING=b:${'A'.repeat(3_000_000)}\n${' AAAA\n'.repeat(500_000)}`
  const note = `NOTE:${' long\n'.repeat(500_000)}`
  const cards = [`${photo}FN:Ann\n`, `${note}FN:Bob\n`, 'FN:Cem\n'].map((content) => `BEGIN:VCARD\n${content}END:VCARD\n`)
  const { rows } = await readFile(cards.join(''), 'people.vcf')
  const fullNameIndex = cardHeaders.indexOf('Full name')
  expect(
    rows.map((row) => (row.kind === 'record' ? row.cells[fullNameIndex] : `${row.kind} ${'reason' in row ? row.reason : ''}`)),
  ).toEqual(['Ann', 'broken too_long', 'Cem'])
})

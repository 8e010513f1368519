import { expect, test } from 'vitest'
import { measureCpuMs } from '#server/testing/cpu.ts'
import { mapColumns } from './map-columns.ts'
import { createRecordReader } from './read-record.ts'
import type { ColumnMapping, ImportedKind } from './column-mapping.ts'

/** Maps a table, the headers first, and reads its rows. */
function readTable(kind: ImportedKind, [headers = [], ...rows]: string[][]) {
  const columns = headers.map((header, index) => ({ header: header || null, samples: rows.map((row) => row[index] ?? '') }))
  return rows.map(createRecordReader(kind, mapColumns(kind, columns)))
}

test('the reader of records reads a contact with several e-mails and phone numbers, and keeps what has no field', () => {
  const [record] = readTable('contact', [
    ['Name', 'Home phone', 'Business phone', 'Mobile', 'E-mail 2', 'E-mail', 'Owner e-mail', 'Fax', 'Favourite dish'],
    ['Hopper, Grace', '0171 555 01', '0171 555 02', '0777 555 03', 'b@x.org', 'Grace <a@x.org>', 'o@x.org', '0171 555 09', 'Soup'],
  ])
  expect(record?.fields).toEqual({
    first_name: 'Grace',
    last_name: 'Hopper',
    email: 'a@x.org',
    phone: '0171 555 02',
    mobile_phone: '0777 555 03',
  })
  expect(record?.raw_data).toEqual({
    'Home phone': '0171 555 01',
    'E-mail 2': 'b@x.org',
    'E-mail': 'Grace <a@x.org>',
    'Owner e-mail': 'o@x.org',
    Fax: '0171 555 09',
    'Favourite dish': 'Soup',
  })
  expect(record?.unstorable).toEqual([])
})

test('the reader of records takes the kind of a phone number from the label beside it', () => {
  const headers = ['First Name', 'Phone 1 - Label', 'Phone 1 - Value', 'Phone 2 - Label', 'Phone 2 - Value', 'Labels']
  const [faxed, mobile] = readTable('contact', [
    headers,
    ['Ada', 'Work Fax', '+44 20 7946 0111', 'Work', '+44 20 7946 0112 ::: +44 20 7946 0113', '* myContacts ::: Engines'],
    ['Grace', 'Mobile', '+1 555 010 0100', '', '', '* myContacts'],
  ])
  expect(faxed?.fields).toEqual({ first_name: 'Ada', phone: '+44 20 7946 0112', mobile_phone: '+44 20 7946 0113', tags: ['Engines'] })
  expect(faxed?.raw_data['Phone 1 - Value']).toBe('+44 20 7946 0111')
  expect(mobile?.fields).toEqual({ first_name: 'Grace', mobile_phone: '+1 555 010 0100' })
})

test('a number that its label makes a mobile, the group of all contacts and unknown dates are not kept as additional data', () => {
  const [record] = readTable('contact', [
    ['First Name', 'Labels', 'Phone 1 - Label', 'Phone 1 - Value', 'Birthday', 'Anniversary'],
    ['Ada', '* myContacts', 'Mobile', '+44 7700 900461', '0/0/00', '00.00.0000'],
  ])
  expect(record).toMatchObject({ fields: { first_name: 'Ada', mobile_phone: '+44 7700 900461' }, incomplete: [] })
  expect(record?.raw_data).toEqual({ 'Phone 1 - Label': 'Mobile' })
})

test.each<[string, string | undefined]>([
  ['0351 / 123456', '0351 / 123456'],
  ['+49 351 / 123456 oder 0351 123457', '+49 351 / 123456'],
  ['020 7946 0118 / 020 7946 0119', '020 7946 0118'],
  ['office / 020 7946 0118', '020 7946 0118'],
  ['0351 / 123456; 0351 / 123457', '0351 / 123456'],
  ['20121212', '20121212'],
  ['20.12.2012', undefined],
])('the reader of records reads the phone of %j as %j', (cell, phone) => {
  const [record] = readTable('contact', [
    ['Name', 'Phone'],
    ['Ann Lee', cell],
    ['Bob Ray', '020 7946 0118'],
    ['Cy Day', '020 7946 0119'],
  ])
  expect(record?.fields['phone']).toBe(phone)
})

/** Reads a contact with a phone and a mobile phone, and whether its additional data have the cell of the phone. */
function readPhones(phone: string, mobile = '') {
  const headers = ['Name', 'Phone', 'Mobile']
  const mapping = mapColumns(
    'contact',
    headers.map((header) => ({ header, samples: [] })),
  )
  const { fields, raw_data } = createRecordReader('contact', mapping)(['Ann Lee', phone, mobile])
  return [fields['phone'], fields['mobile_phone'], raw_data['Phone'] !== undefined]
}

test.each<[string, string, string | undefined, string | undefined, boolean]>([
  ['0171-5551234 / 0171-5559999', '', '0171-5551234', '0171-5559999', false],
  ['0171-5551234 / 0171-5559999', '0171-5550000', '0171-5551234', '0171-5550000', true],
  ['0171-5551234; 0171-5559999; 0171-5550000', '', '0171-5551234', '0171-5559999', true],
  ['0171-5551234; 0171-5551234', '', '0171-5551234', undefined, false],
  ['tel: 089/123456', '', '089/123456', undefined, false],
  ['Tel.: 089/123456', '', '089/123456', undefined, false],
  ['Mobil: 0171-5551234', '', undefined, '0171-5551234', false],
  ['Mobil: 0171-5551234; Tel. 089/123456', '', '089/123456', '0171-5551234', false],
  ['089/123456; Fax: 089/123457', '', '089/123456', undefined, true],
  ['office / 089/123456', '', '089/123456', undefined, true],
])('the phone %j and the mobile phone %j are read as %j and %j, and a rest is kept: %j', (phone, mobile, ...expected) => {
  expect(readPhones(phone, mobile)).toEqual(expected)
})

test('the reader of records reads addresses in parts, a particle of the last name, notes and the manager', () => {
  const [record] = readTable('contact', [
    ['Vorname', 'Tussenvoegsel', 'Nachname', 'Straße', 'Hausnr.', 'PLZ/Ort', 'Notizen', 'Vorgesetzter', 'Quelle'],
    ['Piet', 'van der', 'Berg', 'Tal', '4a', '80331 München', 'ruft an', 'Eva Lang', 'Empfehlung'],
  ])
  expect(record?.fields).toEqual({
    first_name: 'Piet',
    last_name: 'van der Berg',
    mailing_street: 'Tal, 4a',
    mailing_postal_code: '80331',
    mailing_city: 'München',
    lead_source: 'Partner Referral',
  })
  expect(record).toMatchObject({ notes: 'ruft an', links: { reports_to: 'Eva Lang' }, raw_data: {}, unstorable: [] })
})

test.each([
  ['German', '12.500,50 €', '31.03.2024', 'Verhandlung', 12_500.5, 'negotiation'],
  ['American', '$1,234.50', '03/31/2024', 'Proposal/Price Quote', 1234.5, 'proposal'],
  ['Swiss', "CHF 1'234.50", '31. März 2024', 'Gewonnen', 1234.5, 'closed-won'],
  ['French', '1 234,50 EUR', '31 mars 2024', 'Devis envoyé', 1234.5, 'proposal'],
  ['ISO', '1234.5', '2024-03-31T10:00:00Z', 'closed-lost', 1234.5, 'closed-lost'],
])('the reader of records reads the amount and the date of a %s deal', (_, amount, date, stage, value, expectedStage) => {
  const [record] = readTable('deal', [
    ['Deal name', 'Amount', 'Close date', 'Stage', 'Contact name', 'Probability'],
    ['Engine', amount, date, stage, 'Ada Lovelace', '40 %'],
  ])
  expect(record?.fields).toEqual({ title: 'Engine', value, expected_close_date: '2024-03-31', stage: expectedStage, probability: 40 })
  expect(record?.links).toEqual({ contact_name: 'Ada Lovelace' })
})

test('the reader of records keeps cells that a field cannot hold, and says in which columns they are', () => {
  const [first, second] = readTable('task', [
    ['Task', 'Due date', 'Priority', 'Done'],
    ['Call', '13/02/2024', 'Hoch', 'x'],
    ['Write', 'soon', 'purple', 'no'],
  ])
  expect(first?.fields).toEqual({ title: 'Call', due_date: '2024-02-13', priority: 'high', status: 'completed' })
  expect(second).toMatchObject({ raw_data: { 'Due date': 'soon', Priority: 'purple' }, unstorable: [1, 2] })
})

test('the reader of records reads a company with a website without a protocol', () => {
  const [record] = readTable('company', [
    ['Company name', 'Domain', 'Employees', 'Phone'],
    ['Engines', 'engines.example', '1,200', '+44 20 7946 0118'],
  ])
  expect(record?.fields).toEqual({
    name: 'Engines',
    website: 'https://engines.example',
    employees_count: 1200,
    phone: '+44 20 7946 0118',
  })
})

test('the reader of records adds the number of the column to `__proto__` and to headers that a sync or a merge uses as names in raw_data', () => {
  const [record] = readTable('contact', [
    ['Name', 'synced', 'merged_contacts', '__proto__', 'constructor'],
    ['Ada Lovelace', 'yes', 'no', 'maybe', 'none'],
  ])
  const expected = { 'synced (2)': 'yes', 'merged_contacts (3)': 'no', '__proto__ (4)': 'maybe', constructor: 'none' }
  expect(record?.raw_data).toEqual(expected)
})

test('the reader of records reads emails and phones with invisible marks of the direction of writing', () => {
  const [record] = readTable('contact', [
    ['Name', 'E-mail', 'Phone'],
    ['Ada', '\u200Eada@example.org\u200B', '\u202A+44 20 7946 0118\u202C'],
  ])
  expect(record).toMatchObject({ fields: { email: 'ada@example.org', phone: '+44 20 7946 0118' }, raw_data: {} })
})

test('the reader of records cuts a long lead source to 200 code units, replaces half a character at the end, and keeps the whole text in raw_data', () => {
  const source = `${'a'.repeat(199)}😀`
  const [record] = readTable('contact', [
    ['Name', 'Lead source'],
    ['Ada', source],
  ])
  expect(record?.fields['lead_source']).toBe(`${'a'.repeat(199)}\uFFFD`)
  expect(record?.raw_data).toEqual({ 'Lead source': source })
})

/** Reads a row with the fields that the user has chosen, by header. */
function readChosen(kind: ImportedKind, columns: readonly (readonly [header: string, field: string, cell: string])[]) {
  const mapping = columns.map(([header, field]): ColumnMapping => ({ header, field, certainty: 'sure', reason: 'chosen' }))
  return createRecordReader(kind, mapping)(columns.map(([, , cell]) => cell))
}

test.each([
  ['title', 'CEO', 'Founder'],
  ['reports_to', 'Eva Lang', 'Ulla Berg'],
  ['first_name', 'Anna', 'Ann'],
  ['mailing_city', 'London', 'Paris'],
  ['postal_code_and_city', '10115 Berlin', '80331 München'],
])(
  'the reader of records keeps the cell of a second column with the field %s only if it differs from the first cell',
  (field, first, second) => {
    const name = ['Surname', 'last_name', 'Lovelace'] as const
    const read = (cell: string) => readChosen('contact', [name, ['A', field, first], ['B', field, cell]]).raw_data
    expect(read(second)).toEqual({ B: second })
    expect(read(first)).toEqual({})
  },
)

test('a full name that ends in a comma counts as stored completely, so raw_data does not have it', () => {
  expect(readChosen('contact', [['Name', 'full_name', 'Ada Lovelace,']]).raw_data).toEqual({})
})

test('the reader of records keeps a city that differs from the one beside the postal code', () => {
  const { fields, raw_data } = readChosen('contact', [
    ['Name', 'full_name', 'Ada Lovelace'],
    ['City', 'mailing_city', 'Potsdam'],
    ['Place', 'postal_code_and_city', '10115 Berlin'],
  ])
  expect([fields['mailing_city'], raw_data]).toEqual(['Berlin', { City: 'Potsdam' }])
})

test('the reader of records keeps cells with tags above the limits', () => {
  const tags = (from: number, to: number): string => Array.from({ length: to - from }, (_, index) => `t${from + index}`).join(', ')
  const read = (...cells: string[]) =>
    readChosen('contact', [['Name', 'full_name', 'Ada'], ...cells.map((cell, index) => [`Tags ${index}`, 'tags', cell] as const)])
  expect(read(tags(0, 20), 't3').raw_data).toEqual({})
  expect(read(tags(0, 15), tags(10, 25)).raw_data).toEqual({ 'Tags 1': tags(10, 25) })
  const long = `oak, ${'x'.repeat(51)}`
  expect(read(long)).toMatchObject({ fields: { tags: ['oak'] }, raw_data: { 'Tags 0': long } })
})

test('the reader of records reads a row of long cells in less than a second of CPU time', async () => {
  const columns = ['Name', 'E-mail', 'Phone - Type', 'Phone', 'Street', 'Tags', 'Notes', 'Lead source'].map((header) => ({
    header,
    samples: [],
  }))
  const read = createRecordReader('contact', mapColumns('contact', columns))
  const readRow = () => expect(Object.keys(read(columns.map(() => 'a.-@,; 1'.repeat(20_000))).raw_data)).toContain('Phone')
  expect(await measureCpuMs(readRow)).toBeLessThan(1000)
})

// What Foyer exports can be imported again: the columns are recognised, and the records have the values that they had before.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contactColumns } from '#contract/contacts.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { importsOf } from '#server/testing/imports.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, type ListedRecord } from '#server/testing/records.ts'
import type { ImportedKind } from './mapping/column-mapping.ts'
import { mapColumns } from './mapping/map-columns.ts'
import { createRecordReader, type ReadRecord } from './mapping/read-record.ts'
import { openTable } from './reading/read-table.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})

async function* toChunks(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** Reads all records of a file as an import does. Fails for a row that is no record. */
async function readRecords(kind: ImportedKind, text: string, fileName: string): Promise<ReadRecord[]> {
  const table = await openTable(toChunks(text), fileName)
  try {
    const reader = createRecordReader(kind, mapColumns(kind, table.description.columns))
    const records: ReadRecord[] = []
    for await (const row of table.rows) {
      if (row.kind !== 'record') throw new Error(`Line ${row.line} is ${row.kind}`)
      records.push(reader(row.cells))
    }
    return records
  } finally {
    await table.close()
  }
}

const exportRecords = async (path: string, route = '/export'): Promise<string> =>
  (await recordsOf(ada, path).post(route, { matching: {} })).body

/** The values of a record for the fields of an imported one. */
const pick = (record: ListedRecord, imported: ReadRecord | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.keys(imported?.fields ?? {}).map((field) => [field, record[field]]))

const people = [
  {
    first_name: 'Imara',
    last_name: 'van der Berg',
    email: 'imara@quillstone.example',
    phone: '+44 20 7946 0118',
    mobile_phone: '07700 900461',
    company: 'Quillstone, Dental & Co',
    title: 'Buyer "north"',
    department: 'Purchasing',
    mailing_street: '1 High St\nFlat 2',
    mailing_city: 'London',
    mailing_state: 'Greater London',
    mailing_postal_code: 'N1 1AA',
    mailing_country: 'United Kingdom',
    lead_source: 'Web',
    tags: ['VIP', 'oak'],
    description: '=1+1\nand a second line; with a semicolon',
  },
  { first_name: 'Zoë', last_name: 'Ångström', email: 'zoe@example.org', tags: ['oak'] },
  { first_name: '李', last_name: '小龙', phone: '+86 10 1234 5678' },
]

test.each([
  ['CSV', '/export', 'contacts.csv', 16],
  ['vCards', '/export-cards', 'contacts.vcf', 14], // without the lead source, and the description is read as a note
] as const)('contacts exported as %s have the same values when they are read again', async (_name, route, fileName, fieldCount) => {
  const contacts = recordsOf(ada, '/api/contacts')
  const added = []
  for (const person of people) added.push(await contacts.get((await contacts.add(person)).id))
  const records = await readRecords('contact', await exportRecords('/api/contacts', route), fileName)
  expect(records).toHaveLength(people.length)
  for (const record of records) {
    const stored = added.find(({ last_name }) => last_name === record.fields['last_name'])
    expect(record.fields).toEqual(stored && pick(stored, record))
    expect(record.unstorable).toEqual([])
  }
  const imara = records.find(({ fields }) => fields['first_name'] === 'Imara')
  expect(Object.keys(imara?.fields ?? {})).toHaveLength(fieldCount)
})

test('a CSV export of contacts has the manager and the newest note, which are read as a link and a note', async () => {
  const contacts = recordsOf(ada, '/api/contacts')
  const manager = await contacts.add({ first_name: 'Ada', last_name: 'Byron' })
  const { id } = await contacts.add({ first_name: 'Ann', last_name: 'Lee', reports_to_id: manager.id })
  await recordsOf(ada, '/api/notes').add({ contact_id: id, content: 'Called,\n"later"' })
  const records = await readRecords('contact', await exportRecords('/api/contacts'), 'contacts.csv')
  const ann = records.find(({ fields }) => fields['first_name'] === 'Ann')
  expect(ann).toMatchObject({ links: { reports_to: 'Ada Byron' }, notes: 'Called,\n"later"' })
})

test('a CSV export of contacts has their additional data, which an import gives to the same contacts again', async () => {
  const imports = importsOf(ada)
  const file =
    'First name,Email,Shoe size,Joke,synced\nAnn,ann@example.org,North,"Two\nlines, ""quoted"" ; =1+1",x\nBob,bob@example.org,,,\n'
  await imports.run(file)
  const rawData = { 'Shoe size': 'North', Joke: 'Two\nlines, "quoted" ; =1+1', 'synced (5)': 'x' }
  const readRawData = async (person: Person): Promise<unknown[]> => {
    const contacts = recordsOf(person, '/api/contacts')
    const { rows } = await contacts.list({ sort: 'name' })
    return Promise.all(rows.map(async ({ id }) => (await contacts.get(id))['raw_data']))
  }
  expect(await readRawData(ada)).toEqual([rawData, null])
  const exported = await exportRecords('/api/contacts')
  expect(await imports.run(exported)).toMatchObject({ created: 0, failed: 0 })
  const grace = await signInAs(app, 'grace')
  await importsOf(grace).run(exported)
  for (const person of [ada, grace]) expect(await readRawData(person)).toEqual([rawData, null])
  expect(await importsOf(grace).run(exported)).toMatchObject({ updated: 0 })
})

test.each([
  ['contact', '/api/contacts', people.filter(({ email }) => email !== undefined)],
  ['company', '/api/companies', [{ name: 'Quillstone', employees_count: 12, tags: ['oak'] }]],
  ['deal', '/api/deals', [{ title: 'Waiting room', value: 26_400.5, stage: 'negotiation', probability: 40 }]],
  ['task', '/api/tasks', [{ title: 'Send the drawings', due_date: '2026-12-03', priority: 'high' }]],
] as const)('the import of an unchanged export of each %s changes nothing', async (kind, path, list) => {
  for (const values of list) await recordsOf(ada, path).add(values)
  const result = await importsOf(ada).run(await exportRecords(path), { kind, fileName: `${kind}.csv` })
  expect(result).toMatchObject({ created: 0, updated: 0, skipped: list.length, failed: 0, with_remarks: 0 })
  expect(result.undo_id).toBeNull()
})

test('the download of everything has further columns of contacts, which are left out too', () => {
  const further = ['reports_to_name', 'company_name', 'updated_at', 'version', 'external_id', 'crm_connection_id']
  const derived = ['reports_to_id', 'phone_key', 'mobile_phone_key', 'company_id']
  const headers = ['id', ...contactColumns, ...further, ...derived, 'Shoe size']
  const toFields = (names: readonly string[]): Record<string, string | null> =>
    Object.fromEntries(
      mapColumns(
        'contact',
        names.map((header) => ({ header, samples: [] })),
      ).map(({ header, field }) => [header, field]),
    )
  const fields = toFields(headers)
  for (const name of ['id', 'created_at', ...further, ...derived]) expect([name, fields[name]]).toEqual([name, 'left_out'])
  expect(fields).toMatchObject({ company: 'company', reports_to: 'reports_to', phone: 'phone', raw_data: null, 'Shoe size': null })
  // a file of another program
  expect(toFields(['id', 'first_name', 'email', 'created_at'])).toMatchObject({ id: null, created_at: null })
})

test('a column that the user leaves out is not kept as additional data', async () => {
  const fields = ['full_name', 'email', 'left_out', null]
  await importsOf(ada).run('Name,Email,Shoe size,Hat\nAnn Lee,ann@example.org,40,7\n', { fields })
  const [ann] = (await recordsOf(ada, '/api/contacts').list()).rows
  expect((await recordsOf(ada, '/api/contacts').get(ann?.id ?? ''))['raw_data']).toEqual({ Hat: '7' })
})

test.each([
  [
    'company',
    '/api/companies',
    { name: 'Quillstone', website: 'https://quillstone.example', industry: 'Dental', phone: '+44 20 7946 0118', tags: ['oak'] },
  ],
  [
    'deal',
    '/api/deals',
    { title: 'Waiting room', value: 26_400.5, stage: 'negotiation', expected_close_date: '2026-12-03', tags: ['oak'] },
  ],
  [
    'task',
    '/api/tasks',
    { title: 'Send the drawings', description: 'All,\nof them', due_date: '2026-12-03', priority: 'high', status: 'pending' },
  ],
] as const)('an exported %s has the same values when it is read again', async (kind, path, values) => {
  const records = recordsOf(ada, path)
  await records.add(values)
  const [read] = await readRecords(kind, await exportRecords(path), `${kind}.csv`)
  expect(read?.unstorable).toEqual([])
  expect(read?.fields).toMatchObject(values)
})

test('exported deals and tasks name their contact, company and deal, which are read as links', async () => {
  const { id: company_id } = await recordsOf(ada, '/api/companies').add({ name: 'Quillstone, Dental' })
  const { id: contact_id } = await recordsOf(ada, '/api/contacts').add({ first_name: 'Imara', last_name: 'van der Berg' })
  const { id: deal_id } = await recordsOf(ada, '/api/deals').add({
    title: 'Waiting room',
    value: 300,
    stage: 'lead',
    contact_id,
    company_id,
  })
  await recordsOf(ada, '/api/tasks').add({ title: 'Measure', contact_id, deal_id })
  const [deal] = await readRecords('deal', await exportRecords('/api/deals'), 'deals.csv')
  expect(deal?.links).toEqual({ contact_name: 'Imara van der Berg', company_name: 'Quillstone, Dental' })
  const [task] = await readRecords('task', await exportRecords('/api/tasks'), 'tasks.csv')
  expect(task?.links).toEqual({ contact_name: 'Imara van der Berg', deal_title: 'Waiting room' })
})

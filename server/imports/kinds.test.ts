// Imports of companies, deals and tasks, and of what Foyer exports.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ImportKind } from '#contract/imports.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { importsOf } from '#server/testing/imports.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, type ListedRecord } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
let imports: ReturnType<typeof importsOf>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  imports = importsOf(ada)
})

const run = async (kind: ImportKind, file: string, mode: 'create' | 'update' | 'both' = 'both') => {
  const { id, created, updated, skipped, failed } = await imports.run(file, { kind, mode, fileName: `${kind}.csv` })
  return { id, counts: { created, updated, skipped, failed } }
}
const readAll = async (person: Person, path: string): Promise<ListedRecord[]> => {
  const records = recordsOf(person, path)
  const { rows } = await records.list()
  return Promise.all(rows.toReversed().map(({ id }) => records.get(id)))
}

test('companies are found by their name without regard to case and accents', async () => {
  await recordsOf(ada, '/api/companies').add({ name: 'Łódź Engines', industry: 'Machines', tags: ['old'] })
  const file =
    'Name,Industry,Website,Employees,Tags\nlodz engines,Trains,engines.example,12,new\nOak,,,,\nOAK,Wood,,,\n,Wood,,,\nFir,,,many,\n'
  const { id, counts } = await run('company', file)
  expect(counts).toEqual({ created: 1, updated: 2, skipped: 0, failed: 2 })
  expect(await readAll(ada, '/api/companies')).toMatchObject([
    { name: 'Łódź Engines', industry: 'Trains', website: 'https://engines.example', employees_count: 12, tags: ['old', 'new'] },
    { name: 'Oak', industry: 'Wood' },
  ])
  expect(await imports.rows(id, 'failed')).toMatchObject([
    { line: 5, column: 'Name', reason: 'This row has no name of a company.' },
    { line: 6, column: 'Employees', reason: '“many” is not a number of employees.', cells: ['Fir', '', '', 'many', ''] },
  ])
  expect((await run('company', file)).counts).toEqual({ created: 0, updated: 0, skipped: 3, failed: 2 })
})

test('deals and tasks are linked by names and emails; names that are not found are kept in the description', async () => {
  const { id: company_id } = await recordsOf(ada, '/api/companies').add({ name: 'Engines' })
  const { id: contact_id } = await recordsOf(ada, '/api/contacts').add({ first_name: 'Ann', last_name: 'Lee', email: 'ann@example.org' })
  const deals = 'Deal name,Amount,Company,Contact\nBoiler,100,ENGINES,Ann Lee\nBoiler,200,,\nPump,300,Nobody,ann@example.org\n'
  expect((await run('deal', deals)).counts).toEqual({ created: 3, updated: 0, skipped: 0, failed: 0 })
  const [boiler, second, pump] = await readAll(ada, '/api/deals')
  expect([boiler, second, pump]).toMatchObject([
    { value: 100, company_id, contact_id },
    { value: 200, company_id: null, contact_id: null },
    { value: 300, company_id: null, contact_id, description: 'Company: Nobody' },
  ])
  expect((await run('deal', deals.replace('100', '150'))).counts).toEqual({ created: 0, updated: 1, skipped: 2, failed: 0 })
  const tasks = 'Task,Due date,Contact,Deal\nCall,2026-12-03,Ann Lee,Pump\nCall,2026-12-04,Ann Lee,\nCall,soon,,\n'
  expect((await run('task', tasks)).counts).toEqual({ created: 2, updated: 0, skipped: 0, failed: 1 })
  expect(await readAll(ada, '/api/tasks')).toMatchObject([
    { due_date: '2026-12-03', contact_id, deal_id: pump?.id },
    { due_date: '2026-12-04', deal_id: null },
  ])
  expect((await run('task', tasks, 'create')).counts).toEqual({ created: 0, updated: 0, skipped: 2, failed: 1 })
})

test('contacts of deals and managers of contacts are found by an email with a name, also if no cell is only a name', async () => {
  const contacts = recordsOf(ada, '/api/contacts')
  const { id: contact_id } = await contacts.add({ first_name: 'Ann', last_name: 'Lee', email: 'ann@example.org' })
  await run('deal', 'Deal Name,Associated Contact\nBoiler,Ann Lee (Ann@example.org)\n')
  expect(await readAll(ada, '/api/deals')).toMatchObject([{ title: 'Boiler', contact_id }])
  const people = 'First name,Last name,Email,Manager\nBob,Ray,bob@example.org,Ann Lee <ann@example.org>\n'
  await run('contact', people)
  expect((await contacts.list({ search: 'Bob' })).rows).toHaveLength(1)
  expect((await readAll(ada, '/api/contacts')).find(({ first_name }) => first_name === 'Bob')).toMatchObject({ reports_to_id: contact_id })
  expect((await run('contact', people)).counts).toEqual({ created: 0, updated: 0, skipped: 1, failed: 0 })
})

test('a row fails if two columns have the same field and different cells, or if a tag is too long', async () => {
  const runWithFields = async (kind: ImportKind, fields: string[], file: string) => {
    const { id, created, failed } = await imports.run(file, { kind, fields, fileName: `${kind}.csv` })
    return { created, failed, rows: await imports.rows(id, 'failed') }
  }
  expect(
    await runWithFields(
      'task',
      ['title', 'due_date', 'due_date'],
      'Task,Due date,End\nCall,2026-12-03,2026-12-03\nMail,2026-12-03,2026-12-04\n',
    ),
  ).toMatchObject({
    created: 1,
    failed: 1,
    rows: [
      { line: 3, column: 'Due date', reason: '“2026-12-03” cannot be stored here: another column has the same field and another value.' },
    ],
  })
  expect(
    await runWithFields('deal', ['title', 'company_name', 'company_name'], 'Deal,Company,Client\nBoiler,Engines,Oak\nPump,Engines,\n'),
  ).toMatchObject({ created: 1, failed: 1, rows: [{ line: 2, column: 'Company' }] })
  const long = 'x'.repeat(51)
  expect(await runWithFields('company', ['name', 'tags'], `Name,Tags\nOak,wood;${long}\n`)).toMatchObject({
    failed: 1,
    rows: [
      { column: 'Tags', reason: `“wood;${long}” cannot be stored here: a record has at most 20 tags, of at most 50 characters each.` },
    ],
  })
})

const paths: Record<ImportKind, string> = { company: '/api/companies', contact: '/api/contacts', deal: '/api/deals', task: '/api/tasks' }
/** Returns a record without the values that differ in another workspace: ids, times, version and `raw_data`. */
const comparable = (record: ListedRecord) =>
  Object.fromEntries(
    Object.entries(record).filter(([name]) => !/^(id|\w+_id|created_at|updated_at|completed_at|version|raw_data)$/.test(name)),
  )

test.each(['csv', 'vcf'])(
  'what Foyer exports as %s is the same in another workspace after its import, apart from three fields of contacts in vCards',
  async (format) => {
    await recordsOf(ada, '/api/companies').add({
      name: 'Engines, & Co',
      website: 'https://engines.example',
      employees_count: 3,
      tags: ['oak'],
    })
    const contacts = recordsOf(ada, '/api/contacts')
    const manager = await contacts.add({ first_name: 'Zoë', last_name: 'Ångström', email: 'zoe@example.org', tags: ['VIP', 'oak'] })
    const ann = await contacts.add({
      first_name: 'Ann',
      last_name: 'van der Berg',
      email: 'ann@example.org',
      phone: '020 7946 0118',
      company: 'Engines, & Co',
      reports_to_id: manager.id,
      description: '=1+1\nand more',
      mailing_street: '1 High St\nFlat 2',
      lead_source: 'Web',
    })
    await recordsOf(ada, '/api/notes').add({ contact_id: ann.id, content: 'Called,\n"later"' })
    const companies = await readAll(ada, '/api/companies')
    const deal = await recordsOf(ada, '/api/deals').add({
      title: 'Boiler',
      value: 26_400.5,
      stage: 'negotiation',
      contact_id: ann.id,
      company_id: companies[0]?.id,
    })
    await recordsOf(ada, '/api/tasks').add({
      title: 'Call',
      due_date: '2026-12-03',
      priority: 'high',
      status: 'completed',
      contact_id: ann.id,
      deal_id: deal.id,
    })
    const grace = await signInAs(app, 'grace')
    const graceImports = importsOf(grace)
    for (const kind of ['company', 'contact', 'deal', 'task'] as const) {
      const isCards = kind === 'contact' && format === 'vcf'
      const exported = await recordsOf(ada, paths[kind]).post(isCards ? '/export-cards' : '/export', { matching: {} })
      const fileName = `${kind}.${isCards ? 'vcf' : 'csv'}`
      const result = await graceImports.run(exported.body, { kind, fileName })
      expect(result).toMatchObject({ status: 'finished', created: kind === 'contact' ? 2 : 1, failed: 0, skipped: 0 })
      const again = await graceImports.run(exported.body, { kind, fileName })
      expect(again).toMatchObject({ created: 0, updated: 0, failed: 0 })
    }
    for (const path of Object.values(paths)) {
      // a vCard has no manager and no lead source; its NOTE is the description, and is imported as a note
      const notInCards = { reports_to_name: '', lead_source: '', description: '' }
      const toCompared = (record: ListedRecord) => ({
        ...comparable(record),
        ...(format === 'vcf' && 'lead_source' in record && notInCards),
      })
      const sorted = async (person: Person) =>
        (await readAll(person, path)).map(toCompared).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      expect(await sorted(grace)).toEqual(await sorted(ada))
    }
    const [imported] = (await recordsOf(grace, '/api/contacts').list({ search: 'Berg' })).rows
    if (format === 'csv')
      expect((await grace.send({ url: `/api/notes?contact_id=${imported?.id}` })).json().rows).toMatchObject([
        { content: 'Called,\n"later"' },
      ])
  },
)

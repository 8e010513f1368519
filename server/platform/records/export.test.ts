import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deals as dealKind } from '#server/deals/kind.ts'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'
import { exportRecords } from './export.ts'

let app: TestApp
let ada: Person
let address: URL
beforeAll(async () => {
  app = await openTestApp()
  address = new URL(await app.server.listen({ port: 0, host: '127.0.0.1' }))
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})

const insertCompanies = (count: number, industry = '') =>
  app.database.transaction(callerFor(ada.id), 'Added companies', () =>
    sql(`insert into companies (user_id, name, industry) select $1, 'Company ' || n, $3 from generate_series(1, $2::int) n`, [
      ada.id,
      count,
      industry,
    ]),
  )

test('a CSV file has a header line and quoted values (RFC 4180), and no formula that a spreadsheet would run', async () => {
  const contact = await recordsOf(ada, '/api/contacts').add({ first_name: 'Ann', last_name: 'Lee' })
  const deals = recordsOf(ada, '/api/deals')
  await deals.add({ title: '=1+1', value: 3200.5, tags: ['Fair', 'VIP'], description: 'one\ntwo', expected_close_date: '2026-12-01' })
  await deals.add({ title: 'Big "oak", table', stage: 'closed-won', contact_id: contact.id })
  const columns = ['title', 'value', 'stage', 'tags', 'contact_name', 'company_name', 'expected_close_date', 'description']
  const response = await deals.post('/export', { matching: {}, columns, sort: 'title', order: 'desc' })
  expect(response.statusCode).toBe(200)
  expect(response.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename=deals.csv',
    'cache-control': 'no-store',
  })
  // U+FEFF at the start tells spreadsheets that the file is UTF-8; the apostrophe before =1+1 makes it a text
  expect(response.body).toBe(
    '\ufefftitle,value,stage,tags,contact_name,company_name,expected_close_date,description\r\n' +
      '"Big ""oak"", table",,closed-won,,Ann Lee,,,\r\n' +
      `'=1+1,3200.5,lead,"Fair, VIP",,,2026-12-01,"one\ntwo"\r\n`,
  )
})

test.each([
  ['/api/contacts', { first_name: 'Ann', last_name: 'Lee' }],
  ['/api/companies', { name: 'Ann' }],
  ['/api/deals', { title: 'Ann' }],
  ['/api/tasks', { title: 'Ann' }],
])('an export of %s without a list of columns has every column', async (path, fields) => {
  const { id } = await recordsOf(ada, path).add(fields)
  const response = await recordsOf(ada, path).post('/export', { ids: [id] })
  const [header = '', line = ''] = response.body.split('\r\n')
  expect(header.split(',').length).toBeGreaterThan(7)
  expect(line.split(',')).toHaveLength(header.split(',').length)
  expect(line).toMatch(/^Ann,/)
})

test('a CSV file contains only the records that are selected by ids or by a filter', async () => {
  const companies = recordsOf(ada, '/api/companies')
  await insertCompanies(3, 'Law')
  const { id } = await companies.add({ name: 'Other' })
  const exportNames = async (selection: object) => {
    const { body } = await companies.post('/export', { ...selection, columns: ['name'], sort: 'name' })
    return body.trim().split('\r\n').slice(1)
  }
  expect(await exportNames({ ids: [id] })).toEqual(['Other'])
  expect(await exportNames({ matching: { search: 'other' } })).toEqual(['Other'])
  expect(await exportNames({ matching: { filter: [{ field: 'industry', is: ['law'] }] } })).toEqual(['Company 1', 'Company 2', 'Company 3'])
  expect(await exportNames({ matching: { search: 'nothing' } })).toEqual([])
})

test.each([
  ['without a selection', {}, 'ids'],
  ['without columns', { matching: {}, columns: [] }, 'columns'],
  ['of an unknown column', { matching: {}, columns: ['password_hash'] }, 'columns.0'],
  ['of a column twice', { matching: {}, columns: ['name', 'name'] }, 'columns'],
  ['of too many columns', { matching: {}, columns: Array.from({ length: 5000 }, () => 'name') }, 'columns'],
  ['with an unknown sort', { matching: {}, sort: 'password_hash' }, 'sort'],
])('an export %s is refused with an error message for the field', async (_name, payload, refusedField) => {
  const response = await recordsOf(ada, '/api/companies').post('/export', payload)
  expect(response.statusCode).toBe(422)
  expect(response.json().fields).toHaveProperty([refusedField])
})

test('an export of missing records is refused', async () => {
  const response = await recordsOf(ada, '/api/companies').post('/export', { ids: ['01930000-0000-7000-8000-00000000ffff'] })
  expect(response.json()).toMatchObject({ code: 'not_found' })
})

test('an error before the first line is returned as a problem document', async () => {
  await insertCompanies(1)
  await app.tableOwner.query('alter table companies rename to companies_away')
  const response = await recordsOf(ada, '/api/companies').post('/export', { matching: {} })
  await app.tableOwner.query('alter table companies_away rename to companies')
  expect(response.statusCode).toBe(500)
  expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(response.headers['content-disposition']).toBeUndefined()
})

/** Requests all companies over a real connection and returns when the headers have arrived. */
async function openExport() {
  const clientRequest = request(new URL('/api/companies/export', address), {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
  })
  clientRequest.end(JSON.stringify({ matching: {}, columns: ['name', 'industry'] }))
  const [response] = await once(clientRequest, 'response')
  return response
}

test('a large export is streamed and contains every record once', async () => {
  await insertCompanies(4500)
  const response = await openExport()
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  const lines = Buffer.concat(parts).toString().trim().split('\r\n')
  expect(response.headers['transfer-encoding']).toBe('chunked')
  expect(new Set(lines.slice(1)).size).toBe(4500)
})

test('records with long texts are exported in small parts, so that other requests are served in between', async () => {
  const description = '漢'.repeat(20_000) // so 150 deals have three million characters, and a part has about one million
  await app.database.transaction(callerFor(ada.id), 'Added deals', () =>
    sql(`insert into deals (user_id, title, description) select $1, 'Deal ' || n, $2 from generate_series(1, 150) n`, [
      ada.id,
      description,
    ]),
  )
  const exportRequest = {
    matching: { search: '', filter: [] },
    sort: 'title',
    order: 'asc',
    now: new Date(),
    columns: ['title', 'description'],
  } as const
  const lengths: number[] = []
  for await (const part of exportRecords(dealKind, app.database, callerFor(ada.id), exportRequest)) lengths.push(part.length)
  expect(lengths.length).toBeGreaterThan(2)
  expect(Math.max(...lengths)).toBeLessThan(1_200_000)
  expect(lengths.reduce((sum, length) => sum + length)).toBeGreaterThan(150 * 20_000)
})

test('a client that disconnects does not affect other clients', async () => {
  await insertCompanies(20_000, 'x'.repeat(200)) // more than the socket buffers can hold
  const response = await openExport()
  await once(response, 'data')
  response.destroy()
  await once(response, 'close')
  const { rows } = await recordsOf(ada, '/api/companies').list({ limit: '2' })
  expect(rows).toHaveLength(2)
})

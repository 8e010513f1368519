// The download of everything, as a client receives it.
import { mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { partBytes } from '#contract/uploads.ts'
import { takeoutTables } from '#server/features.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { openDiskStorage } from '#server/platform/storage/disk.ts'
import { openS3Storage } from '#server/platform/storage/s3.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { parseCsv } from '#server/testing/csv.ts'
import { addExamples } from '#server/testing/examples.ts'
import { addFile, createFileClient, type FileClient } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'
import { startS3, type S3StandIn } from '#server/testing/s3.ts'
import { unzip } from '#server/testing/zip.ts'

const password = 'engine no. 1'
const folder = mkdtempSync(join(tmpdir(), 'foyer-takeout-test-'))
let s3: S3StandIn
beforeAll(async () => void (s3 = await startS3()))
afterAll(async () => {
  await s3[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

/** The number of objects that are being read. */
let openReads = 0
const countReads = (storage: Storage): Storage => ({
  ...storage,
  read: async function* read(key, range) {
    openReads++
    try {
      yield* storage.read(key, range)
    } finally {
      openReads--
    }
  },
})

describe.each([
  ['disk', () => openDiskStorage(folder)],
  ['S3', () => openS3Storage(s3.settings)],
])('with the bytes on %s', (_name, open) => {
  let app: TestApp
  let storage: Storage
  let address: string
  let ada: Person
  let client: FileClient
  let now = new Date()
  beforeAll(async () => {
    storage = open()
    app = await openTestApp({ storage: countReads(storage), now: () => now })
    address = await app.server.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => app.stop())
  beforeEach(async () => {
    now = new Date()
    ada = await signInAs(app, 'ada')
    client = createFileClient(address, ada.token)
  })

  const prepare = async (): Promise<string> => {
    const response = await client.postJson('/api/takeout', { password })
    expect(response.status).toBe(200)
    const { url }: { url: string } = JSON.parse(await response.text())
    return url
  }
  const download = async (): Promise<Map<string, Buffer | null>> => {
    const response = await client.request('GET', await prepare())
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(bytes.byteLength)])
    return unzip(bytes)
  }
  const readCsv = (zip: Map<string, Buffer | null>, name: string) => parseCsv(String(zip.get(`${name}.csv`)))
  const readJson = (zip: Map<string, Buffer | null>, name: string): Record<string, unknown>[] => JSON.parse(String(zip.get(`${name}.json`)))

  test('the zip has each row of each table, with equal values in CSV and JSON, and no secrets', async () => {
    const ids = await addExamples(app, ada)
    await ada.send({ method: 'POST', url: `/api/contacts/${ids.contact}/not-duplicate`, payload: { other_id: ids.colleague } })
    await app.tableOwner.query(`insert into ai_usage (user_id, day, is_limited, answers) values ($1, '2026-11-23', true, 2)`, [ada.id])
    await app.tableOwner.query('insert into crm_syncs (user_id, connection_id, change_id, started_at) values ($1, $1, $1, now())', [ada.id])
    await app.tableOwner.query(
      `insert into booking_notices (user_id, id, title, start_time, end_time, timezone, attendee_email, status)
       select $1, $1, 'Visit', now(), now(), 'UTC', 'mary@example.org', 'confirmed'`,
      [ada.id],
    )
    await app.tableOwner.query(
      `insert into other_calendar_times (user_id, calendar_id, start_time, end_time) values ($1, $2, '2026-12-01', '2026-12-02')`,
      [ada.id, ids.otherCalendar],
    )
    await app.tableOwner.query('insert into calendar_feeds (user_id) values ($1)', [ada.id])
    await app.tableOwner.query(
      `insert into booking_waits (user_id, booking_link_id, name, email, timezone, first_day, last_day, from_time, until_time)
       values ($1, $1, 'Mary', 'mary@example.org', 'UTC', '2026-12-01', '2026-12-01', '2026-12-01', '2026-12-02')`,
      [ada.id],
    )
    await app.tableOwner.query(
      `insert into booking_zone_changes (user_id, booking_id, start_time, timezone, offset_before) values ($1, $1, now(), 'UTC', 60)`,
      [ada.id],
    )
    const zip = await download()
    for (const { table, name, ownerColumn = 'user_id' } of takeoutTables) {
      const rows = readJson(zip, name)
      const { rows: stored } = await app.tableOwner.query<{ id: string }>(`select * from ${table} where ${ownerColumn} = $1 order by id`, [
        ada.id,
      ])
      expect(rows.length, name).toBeGreaterThan(0)
      expect(
        rows.map(({ id }) => id),
        name,
      ).toEqual(stored.map(({ id }) => id))
      const cells = readCsv(zip, name)
      for (const [index, row] of rows.entries()) {
        for (const [column, value] of Object.entries(row)) {
          const cell = cells[index]?.[column]
          if (typeof value === 'string' && !/_(at|time)$/.test(column)) expect(cell, `${name}.${column}`).toBe(value)
          else expect(cell, `${name}.${column}`).toBeDefined()
        }
      }
    }
    const { rows: secrets } = await app.tableOwner.query<{ secret: string }>(
      `select password_hash as secret from users union all select encode(token_hash, 'hex') from sessions union all select encode(token_hash, 'base64') from sessions`,
    )
    const everything = [...zip.values()].map(String).join('\n')
    for (const secret of [...secrets.map((each) => each.secret), ada.token, ada.session]) expect(everything).not.toContain(secret)
    expect(String(zip.get('README.txt'))).toContain('contacts.csv and contacts.json')
    const files = [...zip].filter(([path, bytes]) => path.includes('/') && bytes !== null)
    expect(await (await client.request('GET', '/api/takeout')).json()).toMatchObject({ file_count: files.length })
    for (const [path] of files) expect(String(zip.get('README.txt'))).toContain(`  ${path.slice(0, path.indexOf('/'))}/`)
  })

  test('links are ids and readable names, and the CSV has what the export of the list has', async () => {
    const contacts = recordsOf(ada, '/api/contacts')
    const manager = await contacts.add({ first_name: 'Ada', last_name: 'Byron' })
    const ann = await contacts.add({ first_name: 'Ann', last_name: 'Lee, "Dr."', reports_to_id: manager.id, tags: ['VIP', 'Fair'] })
    await recordsOf(ada, '/api/deals').add({ title: 'Engine', contact_id: ann.id, value: 12.5 })
    await recordsOf(ada, '/api/notes').add({ contact_id: ann.id, content: '=1+1\nline' })
    const zip = await download()
    // in a CSV file, an apostrophe before "=" keeps spreadsheet programs from computing the text as a formula
    expect(readCsv(zip, 'contacts')).toMatchObject([
      { id: manager.id },
      { id: ann.id, last_name: 'Lee, "Dr."', reports_to: 'Ada Byron', reports_to_id: manager.id, tags: 'VIP, Fair', notes: "'=1+1\nline" },
    ])
    expect(readCsv(zip, 'deals')).toMatchObject([{ contact_id: ann.id, contact_name: 'Ann Lee, "Dr."', value: '12.5' }])
    expect(readCsv(zip, 'notes')).toMatchObject([{ contact_id: ann.id, contact_name: 'Ann Lee, "Dr."' }])
    expect(readJson(zip, 'notes')).toMatchObject([{ content: '=1+1\nline', contact_id: ann.id }])
    const { body } = await contacts.post('/export', { matching: {} })
    const exportedRow = parseCsv(body).find(({ last_name }) => last_name === 'Lee, "Dr."')
    expect(readCsv(zip, 'contacts')[1]).toMatchObject(exportedRow ?? { missing: true })
  })

  test('the zip has the tree of folders, and a folder for each contact with attachments, with names that every system can unpack', async () => {
    const folders = recordsOf(ada, '/api/folders')
    const offers = (await folders.add({ name: 'Offers/2026: "new"' })).id
    await folders.add({ name: 'Empty', parent_folder_id: offers })
    const contacts = recordsOf(ada, '/api/contacts')
    const add = async (first_name: string) => (await contacts.add({ first_name, last_name: 'Lee' })).id
    const [first, second] = [await add('..\\Ann'), await add('Bob')]
    const hostileNames = ['../../evil.txt', 'CON', 'a\u202Efdp.exe', 'x'.repeat(300), 'same.txt', 'SAME.txt', 'ü.txt', 'u\u0308.txt']
    for (const name of hostileNames) await addFile(ada, { file_name: name }, Buffer.from(name))
    const inFolder = await addFile(ada, { file_name: 'Offer.txt', folder_id: offers }, Buffer.from('in a folder'))
    await addFile(ada, { file_name: 'Card.txt', contact_id: first }, Buffer.from('of Ann'))
    const attached = await addFile(ada, { file_name: 'Card.txt', contact_id: second }, Buffer.from('of Bob'))
    const zip = await download()
    const paths = [...zip.keys()].filter((path) => path.includes('/'))
    expect(paths.filter((path) => path.split('/').some((name) => name === '..' || /[<>:"\\|?*\u202E]/.test(name)))).toEqual([])
    expect(new Set(paths.map((path) => path.toLowerCase().normalize('NFC'))).size).toBe(paths.length)
    const contents = paths.map((path) => String(zip.get(path)))
    expect(contents).toEqual(expect.arrayContaining([...hostileNames, 'in a folder', 'of Ann', 'of Bob']))
    const pathOf = (id: string) => readCsv(zip, 'files').find((row) => row['id'] === id)?.['path'] ?? ''
    expect(pathOf(inFolder.id)).toMatch(/^files\/[^/]+\/Offer\.txt$/)
    expect(String(zip.get(pathOf(inFolder.id)))).toBe('in a folder')
    expect(pathOf(attached.id)).toBe('attachments/Bob Lee/Card.txt')
    expect(String(zip.get('attachments/Bob Lee/Card.txt'))).toBe('of Bob')
    expect(paths.some((path) => path.endsWith('/Empty/'))).toBe(true)
    expect(readJson(zip, 'files').find(({ id }) => id === attached.id)).toMatchObject({ path: 'attachments/Bob Lee/Card.txt' })
  })

  test('a file whose path would be too long is in the folder "files in deep folders", with its id as its name', async () => {
    const path = Array.from({ length: 21 }, () => 'x'.repeat(200)).join('/') // longer than `maxZipPathBytes`
    const { rows }: { rows: { id: string }[] } = JSON.parse(await (await client.postJson('/api/folders/paths', { paths: [path] })).text())
    const { id } = await addFile(ada, { file_name: 'deep.txt', folder_id: rows[0]?.id }, Buffer.from('deep'))
    const zip = await download()
    expect(String(zip.get(`files in deep folders/${id}`))).toBe('deep')
    expect(readCsv(zip, 'files')[0]).toMatchObject({ id, path: `files in deep folders/${id}` })
  })

  test('nothing of another person and nothing from the trash is in the zip', async () => {
    const grace = await signInAs(app, 'grace')
    await recordsOf(grace, '/api/companies').add({ name: 'Secret Inc' })
    await addFile(grace, { file_name: 'secret.txt' }, Buffer.from('secret bytes'))
    const deleted = await addFile(ada, { file_name: 'deleted.txt' }, Buffer.from('deleted bytes'))
    await recordsOf(ada, '/api/files').remove(deleted.id)
    const zip = await download()
    const everything = [...zip].flat().map(String).join('\n')
    for (const text of ['Secret Inc', 'secret.txt', 'secret bytes', grace.id, 'deleted.txt', 'deleted bytes'])
      expect(everything).not.toContain(text)
    expect(readJson(zip, 'files')).toEqual([])
  })

  test('the zip has all of 2,000 contacts and 500 files', { timeout: 300_000 }, async () => {
    await app.tableOwner.query(
      `insert into crm_contacts (user_id, first_name, last_name) select $1, 'First ' || number, 'Last' from generate_series(1, 2000) number`,
      [ada.id],
    )
    const { id } = await addFile(ada, { file_name: '0.txt' }, Buffer.from('the text'))
    await app.tableOwner.query(
      `insert into files (user_id, object_id, storage_path, file_size, file_name)
       select user_id, object_id, storage_path, file_size, number || '.txt' from files, generate_series(1, 499) number where id = $1`,
      [id],
    )
    const zip = await download()
    const names = readCsv(zip, 'contacts').map((row) => row['first_name'])
    expect(new Set(names)).toEqual(new Set(Array.from({ length: 2000 }, (_, index) => `First ${index + 1}`)))
    expect([names.length, readJson(zip, 'contacts').length]).toEqual([2000, 2000])
    for (let number = 0; number < 500; number++) expect(String(zip.get(`files/${number}.txt`))).toBe('the text')
    const size = await (await client.request('GET', '/api/takeout')).json()
    expect(size).toEqual({ file_count: 500, file_bytes: 500 * 8 })
  })

  test('the download fails if the bytes of a file are gone', async () => {
    const lost = await addFile(ada, { file_name: 'b' })
    await storage.delete(lost.storage_path)
    expect((await client.request('GET', await prepare())).status).toBe(500) // the failure is known before the first byte is sent
    await client.upload(Buffer.alloc(partBytes), { file_name: 'a' }) // is sent before the lost file, so the download has already begun
    await expect(client.request('GET', await prepare()).then((response) => response.arrayBuffer())).rejects.toThrow('terminated')
    await expect.poll(async () => (await client.postJson('/api/takeout', { password })).status).toBe(200)
  })

  test('during a download no database transaction is open, and a second download is refused; a disconnect ends the download', async () => {
    await client.upload(Buffer.alloc(6 * partBytes), { file_name: 'large' })
    const [url, secondUrl] = [await prepare(), await prepare()]
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${address}${url}`, { headers: { authorization: `Bearer ${ada.token}` } }, (incoming) =>
        incoming.once('data', () => resolve(incoming.pause())),
      ).once('error', reject)
    })
    expect(openReads).toBeGreaterThan(0)
    const { rowCount } = await app.tableOwner.query(
      `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    )
    expect(rowCount).toBe(0)
    const refusal = await client.postJson('/api/takeout', { password })
    expect([refusal.status, (await client.request('GET', secondUrl)).status]).toEqual([429, 429])
    response.destroy()
    await expect.poll(() => openReads).toBe(0)
    await expect.poll(async () => (await client.postJson('/api/takeout', { password })).status).toBe(200)
  })

  test('the address of the download requires the password, and works for a minute and only for its owner', async () => {
    const refusal = await client.postJson('/api/takeout', { password: 'wrong' })
    expect([refusal.status, await refusal.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'wrong_password', fields: { password: 'That is not your current password.' } }),
    ])
    const url = await prepare()
    const grace = createFileClient(address, (await signInAs(app, 'grace')).token)
    expect((await grace.request('GET', url)).status).toBe(404)
    expect((await fetch(address + url)).status).toBe(401)
    // the last character is left as it is, because it has bits that are not part of the signature
    const alteredUrl = url.replace(/.(?=.$)/, (character) => (character === 'A' ? 'B' : 'A'))
    expect((await client.request('GET', alteredUrl)).status).toBe(404)
    now = new Date(now.getTime() + 61_000)
    expect((await client.request('GET', url)).status).toBe(410)
  })
})

test('each journaled table with an owner is in the download', async () => {
  const app = await openTestApp()
  const { rows } = await app.tableOwner.query<{ name: string }>('select name from app.journaled_tables')
  await app.stop()
  const tables = takeoutTables.map(({ table }) => table)
  expect(rows.map(({ name }) => name).filter((name) => !tables.includes(name))).toEqual([])
  expect(new Set(takeoutTables.map(({ name }) => name)).size).toBe(tables.length)
})

test('the files of each table that refers to stored objects are in the download', async () => {
  const app = await openTestApp()
  const { id } = await signInAs(app, 'ada')
  const { rows } = await app.tableOwner.query<{ name: string }>(
    `select conrelid::regclass::text as name from pg_constraint
     where contype = 'f' and confrelid = 'stored_objects'::regclass and confdeltype = 'a' -- others have what was computed from an object`,
  )
  const listed = await app.database.snapshot(callerFor(id), () =>
    Promise.all(app.context.takeoutFiles.map((list) => list(app.context, id))),
  )
  await app.stop()
  const tables = listed.map(({ table }) => table)
  // the README of the zip says that it has no files that wait for their import
  expect(rows.map(({ name }) => name).filter((name) => !tables.includes(name))).toEqual(['imports'])
})

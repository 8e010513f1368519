// A selection is downloaded as one zip of an exact length, with names that every system can unpack.
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Zip, zipLimits } from '#contract/fileSelection.ts'
import { partBytes } from '#contract/uploads.ts'
import { openDiskStorage } from '#server/platform/storage/disk.ts'
import { openS3Storage } from '#server/platform/storage/s3.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addFile, addFileRows, createFileClient, type FileClient } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'
import { startS3, type S3StandIn } from '#server/testing/s3.ts'
import { unzip } from '#server/testing/zip.ts'

let s3: S3StandIn
beforeAll(async () => void (s3 = await startS3()))
afterAll(() => s3[Symbol.asyncDispose]())

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

describe.each(['disk', 'S3'])('with the bytes on %s', (driver) => {
  let app: TestApp
  let ada: Person
  let client: FileClient
  let address: string
  let folder: string
  let storage: Storage
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'foyer-zip-'))
    storage = driver === 'S3' ? openS3Storage(s3.settings) : openDiskStorage(folder)
    app = await openTestApp({ storage: countReads(storage) })
    address = await app.server.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    await app.stop()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    ada = await signInAs(app, 'ada')
    client = createFileClient(address, ada.token)
  })

  const addFolder = async (name: string, parent: string | null = null): Promise<string> =>
    (await recordsOf(ada, '/api/folders').add({ name, parent_folder_id: parent })).id
  const prepare = async (selection: Record<string, unknown>): Promise<Zip> => {
    const response = await client.postJson('/api/files/zip', selection)
    expect(response.status).toBe(201)
    return Zip.parse(await response.json())
  }
  const download = async ({ url, size }: Zip): Promise<Buffer> => {
    const response = await client.request('GET', url)
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(size)])
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.byteLength).toBe(size)
    return bytes
  }

  test('folders, their files and empty folders are in the zip with their bytes', async () => {
    const offers = await addFolder('Offers')
    const year = await addFolder('2026 Müller', offers)
    await addFolder('Empty', offers)
    const large = await client.upload(Buffer.alloc(partBytes + 5, 'large'), { file_name: 'Large.bin', folder_id: year })
    await addFile(ada, { file_name: 'ünï.txt', folder_id: offers }, Buffer.from('one'))
    await addFile(ada, { file_name: 'Nothing.txt', folder_id: offers }, Buffer.alloc(0))
    const zip = await prepare({ folder_ids: [offers] })
    expect(zip).toMatchObject({ name: 'Offers.zip', entry_count: 6 })
    const bytes = await download(zip)
    expect(await unzip(bytes)).toEqual(
      new Map<string, Buffer | null>([
        ['Offers/', null],
        ['Offers/2026 Müller/', null],
        ['Offers/Empty/', null],
        ['Offers/Nothing.txt', Buffer.alloc(0)],
        ['Offers/ünï.txt', Buffer.from('one')],
        ['Offers/2026 Müller/Large.bin', Buffer.alloc(large.file_size, 'large')],
      ]),
    )
    const { headers } = await client.request('GET', zip.url)
    expect([headers.get('content-type'), headers.get('content-disposition'), headers.get('x-content-type-options')]).toEqual([
      'application/zip',
      'attachment; filename=Offers.zip',
      'nosniff',
    ])
  })

  test('the server stops reading the bytes when the client disconnects', async () => {
    const file = await client.upload(Buffer.alloc(6 * partBytes))
    const small = await addFile(ada)
    const { url } = await prepare({ file_ids: [file.id, small.id] })
    await new Promise<void>((resolve, reject) => {
      const request = get(`${address}${url}`, { headers: { authorization: `Bearer ${ada.token}` } }, (response) => {
        response.once('data', () => {
          expect(openReads).toBeGreaterThan(0)
          response.destroy()
          resolve()
        })
      })
      request.once('error', reject)
    })
    await expect.poll(() => openReads).toBe(0)
  })

  test('no database connection has an open transaction while the client reads a zip', async () => {
    const file = await client.upload(Buffer.alloc(4 * partBytes))
    const { url } = await prepare({ file_ids: [file.id] })
    const response = await client.request('GET', url)
    const { rowCount } = await app.tableOwner.query(
      `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    )
    expect([rowCount, (await response.arrayBuffer()).byteLength > file.file_size]).toEqual([0, true])
  })

  test('the download of a zip fails if the bytes of one of its files are missing or too few', async () => {
    const first = await client.upload(Buffer.alloc(partBytes))
    const second = await addFile(ada, { file_name: 'second' }, Buffer.alloc(1000))
    const zip = await prepare({ file_ids: [first.id, second.id] })
    // objects in S3 cannot be shortened, so there the bytes are missing in both downloads
    if (driver === 'disk') truncateSync(join(folder, second.storage_path, '0'), 999)
    else await storage.delete(second.storage_path)
    await expect(client.request('GET', zip.url).then((response) => response.arrayBuffer())).rejects.toThrow('terminated')
    await storage.delete(second.storage_path)
    await expect(client.request('GET', zip.url).then((response) => response.arrayBuffer())).rejects.toThrow('terminated')
  })
})

describe('on disk', () => {
  let app: TestApp
  let ada: Person
  let now = new Date()
  beforeAll(async () => {
    app = await openTestApp({ now: () => now })
  })
  afterAll(() => app.stop())
  beforeEach(async () => {
    now = new Date()
    ada = await signInAs(app, 'ada')
  })

  const addFolder = async (name: string, parent: string | null = null): Promise<string> =>
    (await recordsOf(ada, '/api/folders').add({ name, parent_folder_id: parent })).id
  const prepare = (payload: Record<string, unknown>) => ada.send({ method: 'POST', url: '/api/files/zip', payload })
  const readEntries = async (payload: Record<string, unknown>): Promise<Map<string, Buffer | null>> => {
    const zip: Zip = (await prepare(payload)).json()
    const response = await ada.send({ url: zip.url })
    expect(response.rawPayload.byteLength, response.body.slice(0, 200)).toBe(zip.size)
    return unzip(response.rawPayload)
  }

  test('the zip of an empty folder has this folder', async () => {
    expect(await readEntries({ folder_ids: [await addFolder('Empty')] })).toEqual(new Map([['Empty/', null]]))
  })

  test('names that differ only in case or Unicode form get a number, also the names of a file and of a folder', async () => {
    const top = await addFolder('Top')
    await addFolder('Offer.txt', top)
    await addFolder('v1.2', top)
    for (const name of ['offer.TXT', 'Offer (2).txt', 'Caf\u00e9', 'Cafe\u0301', 'V1.2'])
      await addFile(ada, { file_name: name, folder_id: top })
    const names = [...(await readEntries({ folder_ids: [top] })).keys()]
    expect(new Set(names.map((name) => name.normalize('NFC').toLowerCase().replace(/\/$/, ''))).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(['Top/Offer.txt/', 'Top/v1.2/', 'Top/Caf\u00e9', 'Top/Caf\u00e9 (2)']))
  })

  test.each([
    ['../../etc', '.._.._etc'],
    ['/abs', '_abs'],
    ['C:\\Windows', 'C__Windows'],
    ['..', '_'],
    ['CON', '_CON'],
    ['lpt1.txt', '_lpt1.txt'],
    ['name. .', 'name'],
    ['a<b>c:d"e|f?g*h', 'a_b_c_d_e_f_g_h'],
    ['\u202Efdp.exe', 'fdp.exe'],
  ])('the folder "%s" is "%s" in the zip', async (name, expected) => {
    const id = await addFolder(name)
    await addFile(ada, { file_name: 'a.txt', folder_id: id })
    expect([...(await readEntries({ folder_ids: [id] })).keys()]).toEqual([`${expected}/`, `${expected}/a.txt`])
  })

  test('a hundred folders inside each other are in the zip', async () => {
    const path = Array.from({ length: 100 }, (_, index) => `Level ${index + 1}`).join('/')
    const { rows } = (await ada.send({ method: 'POST', url: '/api/folders/paths', payload: { paths: [path, 'Level 1'] } })).json()
    await addFile(ada, { file_name: 'deep.txt', folder_id: rows[0].id }, Buffer.from('deep'))
    // the outermost and the innermost folder are selected; the innermost one is in the zip only once
    const entries = await readEntries({ folder_ids: [rows[1].id, rows[0].id] })
    expect([entries.size, entries.get(`${path}/deep.txt`)]).toEqual([101, Buffer.from('deep')])
  })

  test('folders whose paths in the zip would be too long are refused, and the folders below them can be downloaded', async () => {
    // a path in a zip has at most 4,000 bytes; 21 names of 200 bytes are more, and 19 names are fewer
    const names = Array.from({ length: 21 }, (_, index) => `${index}`.padStart(200, 'x'))
    const paths = names.map((_, index) => names.slice(0, index + 1).join('/'))
    const { rows } = (await ada.send({ method: 'POST', url: '/api/folders/paths', payload: { paths } })).json()
    const refused = await prepare({ folder_ids: [rows[0].id] })
    expect([refused.statusCode, refused.json().fields]).toEqual([
      413,
      { folder_ids: 'These folders are too deep inside each other for a zip' },
    ])
    expect((await readEntries({ folder_ids: [rows[2].id] })).size).toBe(19)
  })

  /** Adds small files with their bytes on disk, faster than by uploads. */
  async function addSmallFiles(count: number, folder: string): Promise<void> {
    const { rows } = await app.tableOwner.query<{ path: string; size: number }>(
      `with objects as (insert into stored_objects (user_id, storage_path, file_size)
         select $1::uuid, $1::uuid::text || '/small-' || number, 100 + number % 50 from generate_series(1, $2) number returning *)
       insert into files (user_id, object_id, storage_path, file_name, file_size, folder_id)
       select $1::uuid, id, storage_path, 'Größe ' || split_part(storage_path, '-', -1), file_size, $3::uuid from objects returning storage_path as path, file_size::int as size`,
      [ada.id, count, folder],
    )
    for (const { path, size } of rows) {
      mkdirSync(join(app.filesFolder, path), { recursive: true })
      writeFileSync(join(app.filesFolder, path, '0'), Buffer.alloc(size, path))
    }
  }

  test('a zip of five thousand small files has the announced length and all files', { timeout: 300_000 }, async () => {
    const folder = await addFolder('Many')
    await addSmallFiles(5000, folder)
    const entries = await readEntries({ folder_ids: [folder] })
    expect(entries.size).toBe(5001)
    expect(entries.get('Many/Größe 17')).toEqual(Buffer.alloc(117, `${ada.id}/small-17`))
    expect(entries.get('Many/Größe 5000')).toEqual(Buffer.alloc(100, `${ada.id}/small-5000`))
  })

  test('the zip of all attachments has the name of the contact, and the zip of several files is "Files.zip"', async () => {
    const { id: contact_id } = await recordsOf(ada, '/api/contacts').add({ first_name: 'Luigi', last_name: 'Menabrea' })
    const attachment = await addFile(ada, { contact_id, file_name: 'Notes.txt' })
    const other = await addFile(ada)
    expect((await prepare({ contact_id })).json()).toMatchObject({ name: 'Luigi Menabrea.zip', entry_count: 1 })
    expect([...(await readEntries({ contact_id })).keys()]).toEqual(['Notes.txt'])
    expect((await prepare({ file_ids: [attachment.id, other.id] })).json()).toMatchObject({ name: 'Files.zip', entry_count: 2 })
  })

  test('a selection of everything in a folder has the files and folders in it, and what is in these folders', async () => {
    const folder = await addFolder('Offers')
    await addFile(ada, { folder_id: folder, file_name: 'A.txt' })
    await addFile(ada, { folder_id: await addFolder('Inner', folder), file_name: 'B.txt' })
    await addFile(ada, { file_name: 'Elsewhere.txt' })
    const matching = {
      files: { filter: [{ field: 'folder_id', is: [folder] }] },
      folders: { filter: [{ field: 'parent_folder_id', is: [folder] }] },
    }
    expect([...(await readEntries({ matching })).keys()]).toEqual(['Inner/', 'A.txt', 'Inner/B.txt'])
  })

  test('a zip can no longer be downloaded after five minutes, or after its files were changed', async () => {
    const folder = await addFolder('Offers')
    const file = await addFile(ada, { folder_id: folder })
    /** Prepares a zip, makes a change, and returns the status of a download after the change. */
    const readStatusAfter = async (change: () => unknown): Promise<number> => {
      const { url } = (await prepare({ folder_ids: [folder] })).json()
      expect((await ada.send({ url })).statusCode).toBe(200)
      await change()
      return (await ada.send({ url })).statusCode
    }
    expect(await readStatusAfter(() => (now = new Date(now.getTime() + 5 * 60_000)))).toBe(410)
    expect(await readStatusAfter(() => addFile(ada, { folder_id: folder }))).toBe(410)
    expect(await readStatusAfter(() => recordsOf(ada, '/api/files').patch(file.id, { file_name: 'New name' }))).toBe(410)
    expect(await readStatusAfter(() => recordsOf(ada, '/api/folders').remove(folder))).toBe(410)
  })

  test('a missing or foreign file, folder or contact is not found, and an empty selection is refused', async () => {
    const grace = await signInAs(app, 'grace')
    const own = await addFile(ada)
    const foreign = await addFile(grace)
    expect((await prepare({ file_ids: [own.id, foreign.id] })).statusCode).toBe(404)
    expect((await prepare({ folder_ids: [foreign.id] })).statusCode).toBe(404)
    expect((await prepare({ contact_id: foreign.id })).json()).toMatchObject({ fields: { contact_id: 'This contact is no longer here' } })
    expect((await prepare({})).json().fields).toEqual({ file_ids: 'Select files and folders, or a contact' })
  })

  test('more than 10,000 files and folders, or more than 20 GiB, are refused with a message', async () => {
    const folder = await addFolder('Large')
    await addFileRows(app, ada.id, zipLimits.entries, `'File ' || number, 1, '${folder}'::uuid`) // the folder is one entry more
    const many = await prepare({ folder_ids: [folder] })
    expect([many.statusCode, many.json()]).toEqual([413, expect.objectContaining({ code: 'too_many' })])
    const large = await addFolder('Bytes')
    await addFileRows(app, ada.id, 2, `'File ' || number, ${zipLimits.bytes / 2} + 1, '${large}'::uuid`)
    const refused = await prepare({ folder_ids: [large] })
    expect(refused.json()).toMatchObject({ code: 'too_large', fields: { file_ids: expect.stringContaining('20 GiB') } })
  })
})

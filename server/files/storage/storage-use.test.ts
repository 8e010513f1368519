// The space of an account, as the dashboard shows it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { StorageUse } from '#contract/storage.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { later } from '#server/testing/cleaning.ts'
import { addFile } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'

const quotaBytes = 1000
let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp({ fileLimits: { quotaBytes, jsonFileBytes: 1000 } })
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})

const readUse = async (person = ada): Promise<StorageUse> => (await person.send({ url: '/api/storage' })).json()
const start = (file_size: number) => ada.send({ method: 'POST', url: '/api/uploads', payload: { file_name: 'a', file_size } })

test('an empty account uses nothing', async () => {
  expect(await readUse()).toEqual({
    used_bytes: 0,
    quota_bytes: quotaBytes,
    file_count: 0,
    trash_bytes: 0,
    upload_bytes: 0,
    groups: ['documents', 'pictures', 'media', 'other'].map((name) => ({ name, bytes: 0 })),
    record_bytes: expect.any(Number),
    record_quota_bytes: 10 * 1024 ** 3,
  })
})

test('files are counted by type, without the trash and unfinished uploads, and a new upload may use the rest of the quota', async () => {
  for (const [file_name, bytes] of [
    ['Offer.PDF', 100],
    ['Plan.docx', 50],
    ['Photo.jpg', 30],
    ['Film.mp4', 20],
    ['unknown', 7],
  ] as const)
    await addFile(ada, { file_name }, Buffer.alloc(bytes))
  const deleted = await addFile(ada, { file_name: 'Old.pdf' }, Buffer.alloc(300))
  await recordsOf(ada, '/api/files').remove(deleted.id)
  await start(93)
  expect(await readUse()).toMatchObject({
    used_bytes: 600, // the five files with 207 bytes, the trash and the upload
    quota_bytes: quotaBytes,
    file_count: 5,
    trash_bytes: 300,
    upload_bytes: 93,
    groups: [
      { name: 'documents', bytes: 150 },
      { name: 'pictures', bytes: 30 },
      { name: 'media', bytes: 20 },
      { name: 'other', bytes: 7 },
    ],
  })
  expect([(await start(401)).statusCode, (await start(400)).statusCode]).toEqual([413, 201])
  expect(await readUse(await signInAs(app, 'grace'))).toMatchObject({ used_bytes: 0, file_count: 0 })
})

test('an account whose files were deleted for good uses no space', async () => {
  const { id } = await addFile(ada, {}, Buffer.alloc(700))
  await recordsOf(ada, '/api/files').remove(id)
  await ada.send({ method: 'DELETE', url: `/api/trash/${id}` })
  await app.runSchedule('unneeded stored objects', later(2))
  expect(await readUse()).toMatchObject({ used_bytes: 0, trash_bytes: 0 })
  expect((await start(quotaBytes)).statusCode).toBe(201)
})

// The function that adds an upload compares the sum in `storage_use` with the quota, and does not add up the files.
test('the start of an upload reads no row of the existing files', async () => {
  await app.tableOwner.query(
    `insert into stored_objects (user_id, storage_path, file_size) select $1::uuid, gen_random_uuid(), 0 from generate_series(1, 100)`,
    [ada.id],
  )
  const client = await app.tableOwner.connect()
  const countReadRows = async (): Promise<number> => {
    const { rows } = await client.query<{ count: string }>(
      `select pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid) as count
       from pg_class where oid = 'stored_objects'::regclass`,
    )
    return Number(rows[0]?.count)
  }
  const fields = { id: ada.id, file_name: 'a', file_size: 1, mime_type: '', if_exists: 'keep_both', becomes_file: true }
  const upload = JSON.stringify({ ...fields, expires_at: new Date() })
  try {
    await client.query('begin')
    await client.query(`select set_config('app.owner', $1, true)`, [ada.id])
    const before = await countReadRows()
    // the parameters: the upload, the quota in bytes, and the maximum number of unfinished uploads
    const { rows } = await client.query(`select app.add_upload($1, 1000, 10) as result`, [upload])
    expect([rows, (await countReadRows()) - before]).toEqual([[{ result: 'added' }], 0])
    await client.query('select sum(file_size) from stored_objects where user_id = $1', [ada.id])
    expect((await countReadRows()) - before).toBeGreaterThanOrEqual(100) // the counter notices a statement that reads all rows
  } finally {
    await client.query('rollback')
    client.release()
  }
})

// The space of an account, as the dashboard shows it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { StorageUse } from '#contract/storage.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
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
  })
})

test('files are counted by type, the trash and unfinished uploads apart, and the rest of the quota is what an upload may have', async () => {
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
  expect(await readUse()).toEqual({
    used_bytes: 600,
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

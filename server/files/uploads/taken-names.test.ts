// Before an upload the browser asks which names are taken, and starts the upload with an id that it chooses.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { maxOpenUploads } from '#contract/uploads.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addFile, addFileRows } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'
import { readOwnedRows } from '#server/testing/rows.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})

const requestTakenNames = (payload: Record<string, unknown>) => ada.send({ method: 'POST', url: '/api/files/taken-names', payload })
const addFolder = async (): Promise<string> => (await recordsOf(ada, '/api/folders').add({ name: 'Offers' })).id

test('a taken name is returned with its file and the name that a further upload gets; names in another case are free', async () => {
  const folder_id = await addFolder()
  const { id: contact_id } = await recordsOf(ada, '/api/contacts').add({ first_name: 'Luigi', last_name: 'Menabrea' })
  for (const place of [{}, { folder_id }, { contact_id }]) {
    expect((await requestTakenNames({ ...place, names: ['Offer.bin'] })).json()).toEqual({ rows: [] })
    await addFile(ada, place)
    const second = await addFile(ada, place)
    const { rows } = (
      await requestTakenNames({ ...place, names: ['a.txt', 'x/Offer.bin', 'offer.bin', second.file_name, 'Offer.bin'] })
    ).json()
    // 'x/Offer.bin' is cleaned to 'Offer.bin', and each name is returned once
    expect(rows).toMatchObject([
      { file_name: 'Offer.bin', free_name: 'Offer (3).bin' },
      { file_name: 'Offer (2).bin', file: { id: second.id, file_size: 10 }, free_name: 'Offer (2) (2).bin' },
    ])
    expect((await addFile(ada, place)).file_name).toBe(rows[0].free_name)
    expect((await addFile(ada, { ...place, file_name: 'offer.bin' })).file_name).toBe('offer.bin')
  }
})

test('one request returns the free names for a thousand taken names, also names with a high number such as "File 7 (301).txt"', async () => {
  const folder = await addFolder()
  await addFileRows(app, ada.id, 1000, `'File ' || number || '.txt', 1, '${folder}'::uuid`)
  await addFileRows(app, ada.id, 299, `'File 7 (' || number + 1 || ').txt', 1, '${folder}'::uuid`)
  const names = Array.from({ length: 1000 }, (_, index) => `File ${index + 1}.txt`)
  const { rows } = (await requestTakenNames({ folder_id: folder, names })).json()
  // "File 7.txt" exists with the numbers up to 300
  expect([rows.length, rows[6].free_name, rows[999].free_name]).toEqual([1000, 'File 7 (301).txt', 'File 1000 (2).txt'])
  expect((await requestTakenNames({ folder_id: folder, names: [...names, 'one more'] })).statusCode).toBe(422)
})

const start = (payload: Record<string, unknown>, person = ada) =>
  person.send({ method: 'POST', url: '/api/uploads', payload: { file_name: 'Offer.bin', file_size: 10, ...payload } })

test('repeated and simultaneous starts with the same id return the same upload, also after it was finished', async () => {
  const folder_id = await addFolder()
  const id = newId()
  const responses = await Promise.all(Array.from({ length: 6 }, () => start({ id, folder_id })))
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201, 201, 201])
  expect(new Set(responses.map(({ json }) => json().id))).toEqual(new Set([id]))
  expect((await readOwnedRows(app, ada.id))['uploads']).toHaveLength(1)
  expect(readdirSync(join(app.filesFolder, ada.id))).toHaveLength(1)
  const headers = { 'content-type': 'application/octet-stream' }
  await ada.send({ method: 'PUT', url: `/api/uploads/${id}/parts/0`, payload: Buffer.alloc(10), headers })
  expect((await start({ id, folder_id })).json()).toMatchObject({ id, parts: [0], file_id: null })
  const file = (await ada.send({ method: 'POST', url: `/api/uploads/${id}/finish` })).json()
  await recordsOf(ada, '/api/folders').remove(folder_id)
  expect((await start({ id, folder_id })).json()).toMatchObject({ id, file_id: file.id })
})

test('an id is refused if another upload of the owner has it or if it is not a UUID of version 7; another owner may use it', async () => {
  const id = newId()
  await start({ id })
  for (const other of [{ file_size: 11 }, { file_name: 'b' }, { if_exists: 'skip' }, { mime_type: 'text/plain' }]) {
    const response = await start({ id, ...other })
    expect([response.statusCode, response.json().fields]).toEqual([422, { id: 'This id is taken' }])
  }
  const wrong = await start({ id: '7f1c2b5e-93a4-4d6b-8e1f-0a2b3c4d5e6f' })
  expect(wrong.json().fields).toEqual({ id: 'Send a UUID of version 7' })
  expect((await start({ id }, await signInAs(app, 'grace'))).statusCode).toBe(201)
})

test('an owner has at most 1,000 unfinished uploads, and can start another one after a cancellation', async () => {
  await app.tableOwner.query(
    `insert into uploads (user_id, file_name, file_size, mime_type, if_exists, storage_upload_id, expires_at)
     select $1, 'a', 0, 'text/plain', 'keep_both', '', now() + interval '1 day' from generate_series(1, $2)`,
    [ada.id, maxOpenUploads - 1],
  )
  const { id } = (await start({})).json()
  const refused = await start({})
  expect([refused.statusCode, refused.json().code]).toEqual([413, 'too_many'])
  expect(refused.json().fields.file_name).toContain('1,000 unfinished uploads')
  await ada.send({ method: 'DELETE', url: `/api/uploads/${id}` })
  expect((await start({})).statusCode).toBe(201)
})

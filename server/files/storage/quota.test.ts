// Uploads are refused when the account has no space left, or the disk is full.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partBytes } from '#contract/uploads.ts'
import { openDiskStorage } from '#server/platform/storage/disk.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { later } from '#server/testing/cleaning.ts'
import { addFile, createFileClient } from '#server/testing/files.ts'
import { signInAs } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'
import { mountSmallDisk } from '#server/testing/small-disk.ts'

const quotaBytes = 1000
let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ fileLimits: { quotaBytes, jsonFileBytes: 1000 } })
})
afterAll(() => app.stop())

const payload = (file_size: number) => ({ file_name: 'a.bin', file_size })

test('of thirty simultaneous uploads, only those that fit into the space of the account start', async () => {
  const ada = await signInAs(app, 'ada')
  const start = () => ada.send({ method: 'POST', url: '/api/uploads', payload: payload(100) })
  const responses = await Promise.all(Array.from({ length: 30 }, start))
  const refused = responses.filter(({ statusCode }) => statusCode === 413)
  expect([responses.length - refused.length, refused.length]).toEqual([10, 20])
  const message = 'The file has 100 bytes, and the account has 0 bytes free'
  expect(refused[0]?.json()).toMatchObject({ code: 'quota_exceeded', fields: { file_size: message } })
  const { id } = (await ada.send({ url: '/api/uploads' })).json().rows[0]
  await ada.send({ method: 'DELETE', url: `/api/uploads/${id}` })
  expect((await start()).statusCode).toBe(201)
})

test('files count with their size, also in the trash, and other accounts have space of their own', async () => {
  const ada = await signInAs(app, 'ada')
  const file = await addFile(ada, {}, Buffer.alloc(600))
  const startAndReadStatus = async (bytes: number, person = ada) =>
    (await person.send({ method: 'POST', url: '/api/uploads', payload: payload(bytes) })).statusCode
  expect(await startAndReadStatus(401)).toBe(413)
  await recordsOf(ada, '/api/files').remove(file.id)
  expect(await startAndReadStatus(401)).toBe(413)
  expect(await startAndReadStatus(400)).toBe(201)
  expect(await startAndReadStatus(1000, await signInAs(app, 'grace'))).toBe(201)
})

test('a full disk is reported in one sentence, no file is added, and the upload can continue when there is space again', async (context) => {
  using disk = mountSmallDisk()
  if (!disk) return context.skip('only root can make a small disk')
  const { folder } = disk
  const appOnSmallDisk = await openTestApp({ storage: openDiskStorage(folder, { minFreeBytes: 0 }) })
  try {
    const ada = await signInAs(appOnSmallDisk, 'ada')
    const client = createFileClient(await appOnSmallDisk.server.listen({ port: 0, host: '127.0.0.1' }), ada.token)
    const upload = await client.start({ file_size: partBytes })
    const other = await client.upload(Buffer.alloc(6 * 1024 * 1024), { file_name: 'other.bin' }) // then a part of 8 MiB does not fit
    const response = await client.sendPart(upload.id, 0, Buffer.alloc(partBytes))
    expect([response.status, await response.json()]).toEqual([
      507,
      expect.objectContaining({ code: 'storage_full', detail: expect.stringContaining('no space left') }),
    ])
    expect((await client.finish(upload.id)).status).toBe(422)
    expect((await ada.send({ url: '/api/files' })).json().rows).toMatchObject([{ id: other.id }])
    const [uploadFolder = ''] = readdirSync(join(folder, ada.id)).filter((name) => name.endsWith('.unfinished'))
    expect(readdirSync(join(folder, ada.id, uploadFolder))).toEqual([])

    await recordsOf(ada, '/api/files').remove(other.id)
    await ada.send({ method: 'DELETE', url: `/api/trash/${other.id}` })
    await appOnSmallDisk.runSchedule('unneeded stored objects', later(2))
    await expect.poll(() => readdirSync(join(folder, ada.id))).toEqual([uploadFolder])
    expect((await client.sendPart(upload.id, 0, Buffer.alloc(partBytes))).status).toBe(204)
    expect((await client.finish(upload.id)).status).toBe(200)
  } finally {
    await appOnSmallDisk.stop()
  }
})

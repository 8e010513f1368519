// A server process needs little memory for the download of everything, and gives it back.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partBytes } from '#contract/uploads.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addFile, createFileClient, type FileClient } from '#server/testing/files.ts'
import { measureGrowth, readMemoryMb } from '#server/testing/memory.ts'
import { signInAs } from '#server/testing/people.ts'
import { startServerProcess } from '#server/testing/server-process.ts'

let app: TestApp
let server: Awaited<ReturnType<typeof startServerProcess>>
beforeAll(async () => {
  app = await openTestApp()
  server = await startServerProcess({ connections: app.connections, storage: { folder: app.filesFolder } })
  const grace = await signInAs(app, 'grace')
  await download(createFileClient(server.address, grace.token)) // loads the code that every download needs
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await app.stop()
})

/**
 * With 70,000 files the memory grew by about 400 MB at its highest: 50 MB that were in use, and garbage that V8 had not collected yet.
 */
const size =
  process.env['FOYER_FULL'] === undefined
    ? { rows: 5000, files: 2000, maxGrowthMb: 250 }
    : { rows: 50_000, files: 70_000, maxGrowthMb: 600 }
const maxRemainingMb = 80
const largeFileBytes = 32 * partBytes

/** Downloads everything without keeping the bytes in memory. Returns their number. */
async function download(client: FileClient): Promise<number> {
  const preparation = await client.postJson('/api/takeout', { password: 'engine no. 1' })
  const { url }: { url: string } = JSON.parse(await preparation.text())
  const { body } = await client.request('GET', url)
  if (!body) throw new Error('The response has no body')
  let bytes = 0
  for await (const chunk of body) bytes += chunk.byteLength
  return bytes
}

test.runIf(process.platform === 'linux')(
  `the memory grows by less than ${size.maxGrowthMb} MB during the download of ${size.rows} contacts and ${size.files} files, and is given back`,
  { timeout: 300_000 },
  async () => {
    const ada = await signInAs(app, 'ada')
    const { id } = await addFile(ada, { file_name: '0.txt' }, Buffer.from('the text'))
    await app.tableOwner.query(
      `insert into crm_contacts (user_id, first_name, last_name) select $1, 'First ' || number, 'Last' from generate_series(1, $2::int) number`,
      [ada.id, size.rows],
    )
    await app.tableOwner.query(
      `insert into files (user_id, object_id, storage_path, file_size, file_name)
       select user_id, object_id, storage_path, file_size, number || '.txt' from files, generate_series(1, $2::int) number where id = $1`,
      [id, size.files],
    )
    const client = createFileClient(server.address, ada.token)
    await client.upload(Buffer.alloc(largeFileBytes), { file_name: 'large.bin' })
    const before = readMemoryMb(server.pid)
    let bytes = 0
    const growth = await measureGrowth(server.pid, async () => void (bytes = await download(client)))
    expect(bytes).toBeGreaterThan(largeFileBytes)
    expect(growth).toBeLessThan(size.maxGrowthMb)
    await expect.poll(() => readMemoryMb(server.pid) - before, { timeout: 30_000, interval: 500 }).toBeLessThan(maxRemainingMb)
  },
)

/** With pages of 500 rows the memory grew by 6 MB for each of these contacts. */
const largeContacts = 100

test.runIf(process.platform === 'linux')(
  `the memory grows by less than ${size.maxGrowthMb} MB during the download of ${largeContacts} contacts with a megabyte of imported cells each`,
  async () => {
    const ada = await signInAs(app, 'ada')
    await app.tableOwner.query(
      `insert into crm_contacts (user_id, first_name, last_name, raw_data)
       select $1, 'First ' || number, 'Last', jsonb_build_object('Story', repeat('0123456789', 100000)) from generate_series(1, $2::int) number`,
      [ada.id, largeContacts],
    )
    const client = createFileClient(server.address, ada.token)
    let bytes = 0
    const growth = await measureGrowth(server.pid, async () => void (bytes = await download(client)))
    expect(bytes).toBeGreaterThan(0)
    expect(growth).toBeLessThan(size.maxGrowthMb)
  },
)

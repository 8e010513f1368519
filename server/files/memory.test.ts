// A server process needs little more memory for a large upload and download than for a small one.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partBytes } from '#contract/uploads.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createFileClient, parseFileResponse, type FileClient } from '#server/testing/files.ts'
import { measureGrowth } from '#server/testing/memory.ts'
import { signInAs } from '#server/testing/people.ts'
import { startS3, type S3StandIn } from '#server/testing/s3.ts'
import { startServerProcess } from '#server/testing/server-process.ts'

let app: TestApp
let s3: S3StandIn
beforeAll(async () => {
  app = await openTestApp()
  s3 = await startS3()
})
afterAll(async () => {
  await app.stop()
  await s3[Symbol.asyncDispose]()
})

const mebibyte = 1024 ** 2
const maxGrowthMb = 60
const isFullTestRun = process.env['FOYER_FULL'] !== undefined
/** In the full test run the file for S3 is smaller, because the stand-in for S3 has the bytes in memory. */
const cases = [
  { driver: 'disk', mebibytes: isFullTestRun ? 1024 : 96 },
  { driver: 'S3', mebibytes: isFullTestRun ? 256 : 96 },
]
const part = randomBytes(partBytes)

/** Uploads a file of whole parts, three at a time. Returns its id. */
async function upload(client: FileClient, file_size: number): Promise<string> {
  const { id, part_count } = await client.start({ file_size })
  let next = 0
  const sendNext = async (): Promise<void> => {
    while (next < part_count) expect((await client.sendPart(id, next++, part)).status).toBe(204)
  }
  await Promise.all([sendNext(), sendNext(), sendNext()])
  return (await parseFileResponse(await client.finish(id))).id
}

/** Downloads a file without keeping the bytes in memory. Returns their number. */
async function download(client: FileClient, id: string): Promise<number> {
  let bytes = 0
  const { body } = await client.request('GET', `/api/files/${id}/content`)
  if (!body) throw new Error('The response has no body')
  for await (const chunk of body) bytes += chunk.byteLength
  return bytes
}

test.runIf(process.platform === 'linux').each(cases)(
  'the memory grows by less than 60 MB during an upload and a download of $mebibytes MiB, with the bytes on $driver',
  { timeout: 300_000 },
  async ({ driver, mebibytes }) => {
    const largeBytes = mebibytes * mebibyte
    const { token } = await signInAs(app, 'ada')
    await using server = await startServerProcess({
      connections: app.connections,
      storage: driver === 'S3' ? { s3: s3.settings } : { folder: app.filesFolder },
    })
    const client = createFileClient(server.address, token)
    await download(client, await upload(client, 4 * partBytes)) // loads the code that uploads and downloads need
    let id = ''
    const uploadGrowth = await measureGrowth(server.pid, async () => void (id = await upload(client, largeBytes)))
    const downloadGrowth = await measureGrowth(server.pid, async () => expect(await download(client, id)).toBe(largeBytes))
    expect(
      [uploadGrowth, downloadGrowth].map((growth) => growth < maxGrowthMb),
      `${uploadGrowth} ${downloadGrowth}`,
    ).toEqual([true, true])
  },
)

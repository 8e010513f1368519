// A server process is killed in the middle of an upload; another process goes on.
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partBytes } from '#contract/uploads.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createFileClient, readFile } from '#server/testing/files.ts'
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

const size = 64 * 1024 * 1024
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

test.each(['disk', 'S3'])('an upload of 64 MiB goes on after SIGKILL, with the bytes on %s', { timeout: 120_000 }, async (driver) => {
  const storage = driver === 'S3' ? { s3: s3.settings } : { folder: app.filesFolder }
  const { token } = await signInAs(app, 'ada')
  const start = () => startServerProcess({ connections: app.connections, storage })
  const bytes = randomBytes(size)
  const first = await start()
  const client = createFileClient(first.address, token)
  const upload = await client.start({ file_size: size })
  for (const number of [0, 2, 5]) await client.sendPart(upload.id, number, bytes.subarray(number * partBytes, (number + 1) * partBytes))

  const half = request({
    port: first.port,
    host: '127.0.0.1',
    method: 'PUT',
    path: `/api/uploads/${upload.id}/parts/3`,
    headers: { authorization: `Bearer ${token}`, 'content-length': partBytes },
  })
  const disconnected = new Promise((resolve) => half.once('error', resolve))
  await new Promise((resolve) => half.write(bytes.subarray(3 * partBytes, 3.5 * partBytes), resolve))
  await first.kill()
  await disconnected

  await using second = await start()
  const resumed = createFileClient(second.address, token)
  const open = await resumed.read(upload.id)
  expect(open.parts).toEqual([0, 2, 5])
  await resumed.sendMissingParts(open, bytes)
  const { id } = await readFile(await resumed.finish(upload.id))
  expect(sha256(await resumed.download(id))).toBe(sha256(bytes))
})

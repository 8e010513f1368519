// A server process is killed in the middle of an upload; another process goes on.
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partBytes } from '#contract/uploads.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createFileClient, readFile } from '#server/testing/files.ts'
import { startKillable } from '#server/testing/killable.ts'
import { signInAs } from '#server/testing/people.ts'
import { findFreePort } from '#server/testing/port.ts'
import { startS3, type S3StandIn } from '#server/testing/s3.ts'

const moduleAddress = (path: string): string => new URL(path, import.meta.url).href
const program = `
  import { createApp } from '${moduleAddress('../app.ts')}'
  import { openStorage } from '${moduleAddress('../platform/storage/open.ts')}'
  const { connections, storage, port } = JSON.parse(process.argv[1])
  const readPage = async () => ''
  const reveal = () => storage.s3.secretAccessKey
  const app = await createApp({
    connections, address: 'http://foyer.test', isSignUpOpen: true, trustedProxies: 0, mail: { sends: false, send: async () => {} },
    pages: { application: readPage, publicPage: readPage }, logger: false, isDevelopment: true, now: () => new Date(),
    storage: await openStorage('folder' in storage ? storage : { s3: { ...storage.s3, secretAccessKey: { reveal } } }),
    secret: 'the key of an installation in tests', fileLimits: { quotaBytes: 1024 ** 3, jsonFileBytes: 1024 ** 2 },
  })
  await app.server.listen({ port, host: '127.0.0.1' })
  console.log('listening')
`

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
  const start = async () => {
    const port = await findFreePort()
    return { port, server: await startKillable(program, { connections: app.connections, storage, port }) }
  }
  const bytes = randomBytes(size)
  const first = await start()
  const client = createFileClient(`http://127.0.0.1:${first.port}`, token)
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
  await first.server.kill()
  await disconnected

  const second = await start()
  await using stack = new AsyncDisposableStack()
  stack.use(second.server)
  const resumed = createFileClient(`http://127.0.0.1:${second.port}`, token)
  const open = await resumed.read(upload.id)
  expect(open.parts).toEqual([0, 2, 5])
  await resumed.sendMissingParts(open, bytes)
  const { id } = await readFile(await resumed.finish(upload.id))
  expect(sha256(await resumed.download(id))).toBe(sha256(bytes))
})

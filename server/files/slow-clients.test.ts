// A hundred clients read almost nothing of a download, and a hundred send almost nothing of an upload. The server needs little memory for
// them, and the requests of other clients do not wait.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partBytes } from '#contract/uploads.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createFileClient } from '#server/testing/files.ts'
import { readMemoryMb } from '#server/testing/memory.ts'
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

const clientCount = 100
/** A client that reads nothing needs about a megabyte in the server: two chunks, and the buffers of two streams. */
const maxGrowthMb = 200

test.runIf(process.platform === 'linux').each(process.env['FOYER_FULL'] === '1' ? ['disk', 'S3'] : ['S3'])(
  'a hundred slow downloads and a hundred slow uploads need little memory and do not delay other requests, with the bytes on %s',
  { timeout: 300_000 },
  async (driver) => {
    const [ada, grace] = [await signInAs(app, 'ada'), await signInAs(app, 'grace')]
    const storage = driver === 'S3' ? { s3: s3.settings } : { folder: app.filesFolder }
    await using server = await startServerProcess({ connections: app.connections, storage })
    const { hostname, port } = new URL(server.address)
    const slowClient = createFileClient(server.address, ada.token)
    const bytes = randomBytes(2 * partBytes)
    const file = await slowClient.upload(bytes)
    const upload = await slowClient.start({ file_size: partBytes })
    const before = readMemoryMb(server.pid)

    /** Sends the head of a request without the value of `content-length`, which the caller sends. */
    const open = (head: string): Socket => {
      const socket = connect({ port: Number(port), host: hostname })
      socket.write(`${head} HTTP/1.1\r\nhost: foyer.test\r\nauthorization: Bearer ${ada.token}\r\ncontent-length: `)
      return socket
    }
    const downloads = Array.from({ length: clientCount }, () => open(`GET /api/files/${file.id}/content`))
    const uploads = Array.from({ length: clientCount }, () => open(`PUT /api/uploads/${upload.id}/parts/0`))
    for (const socket of downloads) socket.write('0\r\n\r\n')
    for (const socket of uploads) socket.write(`${partBytes}\r\n\r\nsome bytes`)
    await Promise.all(downloads.map((socket) => once(socket, 'readable'))) // the rest stays unread

    const client = createFileClient(server.address, grace.token)
    const other = await client.upload(bytes)
    expect((await client.download(other.id)).equals(bytes)).toBe(true)
    const growth = readMemoryMb(server.pid) - before
    expect(growth, `${growth} MB`).toBeLessThan(maxGrowthMb)
    expect([...downloads, ...uploads].filter(({ readyState }) => readyState !== 'open')).toEqual([])
    expect((await slowClient.read(upload.id)).parts).toEqual([])
    for (const socket of [...downloads, ...uploads]) socket.destroy()
    expect((await slowClient.sendPart(upload.id, 0, bytes.subarray(0, partBytes))).status).toBe(204)
    expect((await slowClient.finish(upload.id)).status).toBe(200)
  },
)

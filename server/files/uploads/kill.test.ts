// The client, the server or both are killed in the middle of an upload. The upload can then be continued without sending the stored parts
// again.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { partBytes } from '#contract/uploads.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createFileClient, parseFileResponse } from '#server/testing/files.ts'
import { startKillable } from '#server/testing/killable.ts'
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

const mebibytes = process.env['FOYER_FULL'] ? 1024 : 64
const partCount = (mebibytes * 1024 ** 2) / partBytes
const partOf = (number: number): Buffer<ArrayBuffer> => Buffer.alloc(partBytes, `part ${number} `)
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Uploads like a browser, three parts at a time, and prints a line when three parts are stored. The program sends only half of the last
 * part, so that it is always killed in the middle of the upload.
 */
const uploadProgram = `
  import { request } from 'node:http'
  const { address, token, id, partCount, partBytes } = JSON.parse(process.argv[1])
  const partOf = (number) => Buffer.alloc(partBytes, \`part \${number} \`) // the same as in this test
  const send = (number, write) => new Promise((resolve) => {
    const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/octet-stream', 'content-length': partBytes }
    const part = request(address + '/api/uploads/' + id + '/parts/' + number, { method: 'PUT', headers }, (response) => response.resume().once('end', resolve))
    part.on('error', () => {}) // the server is killed
    write(part)
  })
  let next = 0
  let stored = 0
  const sendNext = async () => {
    while (next < partCount - 1) {
      const number = next++
      await send(number, (part) => part.end(partOf(number)))
      if (++stored === 3) console.log('three parts are stored')
    }
  }
  void send(partCount - 1, (part) => part.write(partOf(partCount - 1).subarray(0, partBytes / 2)))
  void sendNext()
  void sendNext()
`

/** Without FOYER_FULL each choice of victims is tried with one driver only. */
const cases = [
  { driver: 'disk', victims: 'the client' },
  { driver: 'disk', victims: 'the server' },
  { driver: 'S3', victims: 'the client and the server' },
  ...(process.env['FOYER_FULL']
    ? [
        { driver: 'S3', victims: 'the client' },
        { driver: 'S3', victims: 'the server' },
        { driver: 'disk', victims: 'the client and the server' },
      ]
    : []),
]

test.each(cases)(
  `an upload of ${mebibytes} MiB can be continued after SIGKILL of $victims, with the bytes on $driver`,
  { timeout: 300_000 },
  async ({ driver, victims }) => {
    const storage = driver === 'S3' ? { s3: s3.settings } : { folder: app.filesFolder }
    const { token } = await signInAs(app, 'ada')
    await using first = await startServerProcess({ connections: app.connections, storage })
    const { address } = first
    const upload = await createFileClient(address, token).start({ file_size: partCount * partBytes })
    await using client = await startKillable(uploadProgram, { address, token, id: upload.id, partCount, partBytes })
    if (victims.includes('client')) await client.kill()
    if (victims.includes('server')) await first.kill()

    await using second = victims.includes('server') ? await startServerProcess({ connections: app.connections, storage }) : undefined
    const resumed = createFileClient(second?.address ?? address, token)
    const unfinished = await resumed.read(upload.id)
    expect(unfinished.parts.length).toBeGreaterThanOrEqual(3)
    expect(unfinished.parts).not.toContain(partCount - 1)
    const bytes = Buffer.concat(Array.from({ length: partCount }, (_, number) => partOf(number)))
    await resumed.sendMissingParts(unfinished, bytes)
    const { id } = await parseFileResponse(await resumed.finish(upload.id))
    expect(sha256(await resumed.download(id))).toBe(sha256(bytes))
  },
)

import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { File } from '#contract/files.ts'
import { partBytes, Upload } from '#contract/uploads.ts'
import { installProduct } from '../product.ts'

const SignedIn = z.object({ token: z.string() })
const doctor = 'scripts/doctor.ts'
const credentials = { email: 'ada@example.org', password: 'engine no. 1' }

/** Sends requests to a product as one user. */
function createClient(url: string) {
  let token = ''
  const request = (method: string, path: string, body?: BodyInit, type = 'application/octet-stream'): Promise<Response> =>
    fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': type }) },
      ...(body && { body }),
    })
  const post = async (path: string, body?: object): Promise<unknown> =>
    (await request('POST', path, body && JSON.stringify(body), 'application/json')).json()
  return {
    signUp: () => post('/api/users', { ...credentials, full_name: 'Ada Lovelace', timezone: 'Europe/London' }),
    signIn: async (): Promise<void> => {
      token = SignedIn.parse(await post('/api/session', credentials)).token
    },
    upload: async (bytes: Buffer<ArrayBuffer>): Promise<File> => {
      const { id, part_count: count } = Upload.parse(await post('/api/uploads', { file_name: 'Offer.bin', file_size: bytes.byteLength }))
      for (let number = 0; number < count; number++)
        await request('PUT', `/api/uploads/${id}/parts/${number}`, bytes.subarray(number * partBytes, (number + 1) * partBytes))
      return File.parse(await post(`/api/uploads/${id}/finish`))
    },
    download: async (id: string): Promise<Buffer> => Buffer.from(await (await request('GET', `/api/files/${id}/content`)).arrayBuffer()),
  }
}

test(
  'the doctor reports no error for a running installation and for its restored backup, and then reports missing bytes of a file',
  { timeout: 120_000 },
  async () => {
    await using first = await installProduct()
    await using second = await installProduct()
    const beforeStart = first.run(doctor)
    expect(beforeStart).toEqual({ code: 1, output: expect.stringMatching(/^error +Database: +\S+ has no database: start Foyer/m) })
    expect(existsSync(first.folder)).toBe(false)

    await first.start()
    const client = createClient(first.url)
    await client.signUp()
    await client.signIn()
    const bytes = randomBytes(9 * 1024 * 1024) // two parts
    const file = await client.upload(bytes)
    const backup = join(first.folder, '../foyer.backup')
    expect(first.run('scripts/backup.ts', backup).code).toBe(0)
    const whileRunning = first.run(doctor)
    expect(whileRunning).toEqual({ code: 0, output: expect.stringMatching(/^ok +Stored files: +1 stored object has its bytes\.$/m) })
    expect(whileRunning.output.split('\n').filter((line) => !line.startsWith('ok '))).toEqual([
      expect.stringMatching(/^\d+ ok, 0 to look at, 0 wrong\.$/),
      '',
    ])

    expect(second.run('scripts/restore.ts', backup).code).toBe(0)
    const whileStopped = second.run(doctor, '--hashes')
    // the doctor warns that the second installation has no backup
    expect(whileStopped).toEqual({ code: 0, output: expect.stringMatching(/, 1 to look at, 0 wrong\.\n$/) })
    await second.start()
    const restored = createClient(second.url)
    await restored.signIn()
    expect((await restored.download(file.id)).equals(bytes)).toBe(true)

    rmSync(join(second.folder, 'files', file.storage_path, '1')) // the second part
    expect(second.run(doctor)).toEqual({
      code: 1,
      output: expect.stringContaining(`1 stored object has the wrong size: ${file.storage_path}.`),
    })
    const unknownOption = second.run(doctor, '--fix')
    expect(unknownOption).toEqual({ code: 1, output: 'The options are --hashes and --repair: npm run doctor -- --hashes\n' })
  },
)

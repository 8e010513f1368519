// Many zips of deep folders that one owner prepares at once need little memory.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Zip } from '#contract/fileSelection.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createFileClient } from '#server/testing/files.ts'
import { measureGrowth } from '#server/testing/memory.ts'
import { signInAs } from '#server/testing/people.ts'
import { startServerProcess } from '#server/testing/server-process.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const leafCount = process.env['FOYER_FULL'] === '1' ? 5000 : 2500
const requestCount = 25
/** One zip needs about 20 MB while it is prepared, most of which the garbage collector frees later. */
const maxGrowthMb = 400

test.runIf(process.platform === 'linux')(
  'many zips of deep folders that are prepared at once need little memory, and requests get status 429 when too many wait',
  { timeout: 300_000 },
  async () => {
    const ada = await signInAs(app, 'ada')
    const names = Array.from({ length: 19 }, (_, level) => `${level} `.padEnd(200, 'x'))
    const paths = [names.slice(0, 1).join('/'), names.join('/')]
    const { rows } = (await ada.send({ method: 'POST', url: '/api/folders/paths', payload: { paths } })).json()
    const [top, bottom]: { id: string }[] = rows
    await app.tableOwner.query(
      `insert into folders (user_id, name, parent_folder_id) select $1, rpad(number || ' ', 150, 'y'), $2 from generate_series(1, $3) number`,
      [ada.id, bottom?.id, leafCount],
    )
    await using server = await startServerProcess({ connections: app.connections, storage: { folder: app.filesFolder } })
    const client = createFileClient(server.address, ada.token)
    const prepare = () => client.postJson('/api/files/zip', { folder_ids: [top?.id] })
    const statuses: number[] = []
    const growth = await measureGrowth(server.pid, async () => {
      const responses = await Promise.all(Array.from({ length: requestCount }, prepare))
      statuses.push(...responses.map(({ status }) => status))
    })
    expect(growth, `${growth} MB`).toBeLessThan(maxGrowthMb)
    const countStatus = (expected: number): number => statuses.filter((status) => status === expected).length
    expect([countStatus(201) + countStatus(429), countStatus(429) > 0]).toEqual([requestCount, true])

    const zip = Zip.parse(await (await prepare()).json())
    expect(zip.entry_count).toBe(leafCount + names.length)
    const downloads = await Promise.all(Array.from({ length: requestCount }, () => client.request('GET', zip.url)))
    const successful = downloads.filter(({ status }) => status === 200)
    expect(successful).toHaveLength(4) // an owner can download at most four generated files at the same time
    const [first, ...others] = successful
    for (const { body } of others) await body?.cancel()
    expect((await first?.bytes())?.byteLength).toBe(zip.size)
  },
)

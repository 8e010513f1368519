// The server, the database or both are killed with SIGKILL while a file is imported. The result is the same as that of an import that was
// not interrupted.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import * as z from 'zod/mini'
import { Import } from '#contract/imports.ts'
import { createRandom } from '#server/testing/random.ts'
import { installProduct, type Product } from '../product.ts'
import { request, signUp } from './writers.ts'

const killTargets = ['server', 'database', 'both'] as const
type KillTarget = (typeof killTargets)[number]

const seed = Number(process.env['FOYER_SEED'] ?? Date.now() % 1_000_000)
const random = createRandom(seed)
const isFull = process.env['FOYER_FULL'] === '1'
const rowCount = isFull ? 100_000 : 2000
const [importCount, killsPerImport] = isFull ? [4, 5] : [3, 1]

let product: Product
beforeAll(async () => {
  console.log(`import: FOYER_SEED=${seed}`)
  product = await installProduct()
  await product.start()
})
afterAll(() => product[Symbol.asyncDispose]())

test(
  `${importCount} imports with ${killsPerImport} kills each have the same result as an import without kills`,
  { timeout: (importCount * killsPerImport + 1) * (isFull ? 300_000 : 60_000) },
  async () => {
    onTestFailed(() => console.log(product.log()))
    const uninterrupted = await openWorkspace('uninterrupted')
    const startedAt = performance.now()
    await uninterrupted.start()
    await uninterrupted.waitForEnd()
    const usualMs = performance.now() - startedAt
    const expected = await uninterrupted.readResult()
    expect(expected.counts).toMatchObject({ status: 'finished', rows_done: rowCount, rows_total: rowCount })
    expect(expected.contacts.length).toBe(expected.counts.created)
    for (let round = 0; round < importCount; round++) {
      const workspace = await openWorkspace(`round-${round}`)
      await workspace.start()
      for (let kills = 0; kills < killsPerImport; kills++) {
        const target = killTargets[(round + kills) % killTargets.length] ?? 'server'
        await sleep(random.below(Math.ceil((usualMs * 0.9) / killsPerImport)))
        const { rows_done: done } = await workspace.read()
        await kill(target)
        console.log(`import: ${target} killed after ${done} rows`)
      }
      await workspace.waitForEnd()
      const result = await workspace.readResult()
      expect(result.counts).toEqual(expected.counts)
      expect(result.failed).toEqual(expected.failed)
      expect(result.contacts).toEqual(expected.contacts)
    }
  },
)

/** Rows with new people, people who come twice, managers, notes, and rows that fail. */
const createFile = (): string =>
  [
    'First name,Last name,Email,Title,Reports to,Notes,Colour',
    ...Array.from({ length: rowCount }, (_, row) => {
      if (row % 20 === 3) return `,,,Nobody,,,${row}`
      const person = row % 17 === 5 ? row - 4 : row
      return `Ann${person},Lee,ann${person}@example.org,Title ${row},${row % 5 === 0 ? `ann${(row + 50) % rowCount}@example.org` : ''},Note ${row},${row}`
    }),
  ].join('\n')

/** Signs up a user and uploads the file. */
async function openWorkspace(name: string) {
  const { token } = await signUp(product.url, name)
  const send = async (method: string, path: string, body?: string, type = 'application/json'): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': type }) }
    const attempt = () => request(product.url + path, { method, headers, ...(body !== undefined && { body }) })
    let response = await attempt()
    const isReady = (): boolean => response !== undefined && response.status < 500
    await expect.poll(async () => isReady() || ((response = await attempt()), isReady()), { timeout: 60_000 }).toBe(true)
    expect(response?.status, response?.text).toBeLessThan(300)
    return response?.text ?? ''
  }
  const uploaded = await send('POST', '/api/imports?file_name=people.csv', createFile(), 'text/csv')
  const path = `/api/imports/${Import.parse(JSON.parse(uploaded)).id}`
  const read = async (): Promise<Import> => Import.parse(JSON.parse(await send('GET', path)))
  return {
    read,
    start: () => send('POST', `${path}/start`, JSON.stringify({ mode: 'both' })),
    waitForEnd: async (): Promise<void> => {
      while ((await read()).status === 'running') await sleep(50)
    },
    readResult: async () => {
      const { status, created, updated, skipped, failed, rows_done, rows_total, problem } = await read()
      const columns = ['first_name', 'last_name', 'email', 'title', 'reports_to', 'notes']
      const exported = await send('POST', '/api/contacts/export', JSON.stringify({ matching: {}, columns }))
      const rows = z.object({ rows: z.array(z.object({ line: z.int(), reason: z.string() })) })
      return {
        counts: { status, created, updated, skipped, failed, rows_done, rows_total, problem },
        failed: rows.parse(JSON.parse(await send('GET', `${path}/rows?status=failed&limit=200`))),
        contacts: exported.trim().split('\r\n').slice(1).toSorted(),
      }
    },
  }
}

/** Kills the target, and starts the server again if it was killed; a running server starts a killed database itself. */
async function kill(target: KillTarget): Promise<void> {
  const processIds = { server: [product.serverProcessId()], database: [product.databaseProcessId()] }
  const killed = target === 'both' ? [...processIds.server, ...processIds.database] : processIds[target]
  for (const id of killed) process.kill(id, 'SIGKILL')
  if (target === 'database') return
  await product.exited()
  await product.start()
}

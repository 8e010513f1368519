// Imports of several owners share the slots of the job in turns.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { importsOf } from '#server/testing/imports.ts'
import { signInAs } from '#server/testing/people.ts'

let app: TestApp
/** By how much the clock of the application is ahead. */
let aheadMs = 0
beforeAll(async () => {
  app = await openTestApp({ now: () => new Date(Date.now() + aheadMs) })
})
afterAll(() => app.stop())

const createFile = (count: number): string =>
  ['First name,Email', ...Array.from({ length: count }, (_, index) => `Ann,ann${index}@example.org`)].join('\n')
const longTurnMs = 20_000

/** Signs somebody in and uploads a file of theirs. */
async function prepare(name: 'ada' | 'edsger' | 'grace', rowCount: number) {
  const person = await signInAs(app, name)
  const imports = importsOf(person)
  const { id } = await imports.upload(createFile(rowCount))
  const readDone = async (): Promise<number> => (await imports.get(id)).rows_done
  return {
    imports,
    owner: person.id,
    start: () => imports.start(id),
    stop: () => imports.stop(id),
    waitForEnd: () => imports.waitForEnd(id),
    /** Waits until more rows than now are stored. */
    waitForMore: async (): Promise<void> => {
      const done = await readDone()
      await vi.waitUntil(async () => (await readDone()) > done, { timeout: 60_000, interval: 5 })
    },
  }
}

test('two long imports let the import of a third owner go first, and then continue where they were', async () => {
  const [ada, edsger, grace] = [await prepare('ada', 3000), await prepare('edsger', 3000), await prepare('grace', 1)]
  await Promise.all([ada.start(), edsger.start()])
  await Promise.all([ada.waitForMore(), edsger.waitForMore()])
  await grace.start()
  aheadMs += longTurnMs
  const [first, second, small] = await Promise.all([ada.waitForEnd(), edsger.waitForEnd(), grace.waitForEnd()])
  expect(small).toMatchObject({ status: 'finished', created: 1 })
  for (const result of [first, second]) {
    expect(result).toMatchObject({ status: 'finished', created: 3000, rows_done: 3000, rows_total: 3000 })
    expect(Date.parse(result.finished_at ?? '')).toBeGreaterThan(Date.parse(small.finished_at ?? ''))
  }
})

test('an import keeps its slot while only its owner waits for another one', async () => {
  const ada = await prepare('ada', 3000)
  await ada.start()
  await ada.waitForMore()
  const other = await ada.imports.upload(createFile(1))
  await ada.imports.start(other.id)
  const readTakenAt = async (): Promise<unknown[]> =>
    (await app.tableOwner.query('select taken_at from jobs.jobs where owner = $1 order by id limit 1', [ada.owner])).rows
  const before = await readTakenAt()
  aheadMs += longTurnMs
  await ada.waitForMore()
  await ada.waitForMore()
  expect(await readTakenAt()).toEqual(before)
  expect((await ada.stop()).status).toBe('stopped')
  expect(await ada.imports.waitForEnd(other.id)).toMatchObject({ status: 'finished', rows_done: 1 })
})

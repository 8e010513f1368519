import { expect, test } from 'vitest'
import { openTestJobs } from '#server/testing/jobs.ts'
import type { Clock } from './worker.ts'

test('of several workers one runs what is due, once for each due time', async () => {
  await using place = await openTestJobs()
  const runs: string[] = []
  const clock: Clock = { name: 'sweep', everySeconds: 3600, run: async () => runs.push(place.now().toISOString()) }
  const rounds: number[] = [0, 0]
  const counting = (index: number): Clock => ({
    name: `round of ${index}`,
    everySeconds: 1,
    run: async () => {
      rounds[index] = (rounds[index] ?? 0) + 1
      place.advance(1)
    },
  })
  for (const index of [0, 1]) await place.work({ tasks: {}, clocks: [counting(index), clock], roundMs: 20 })
  const bothHaveLooked = async (): Promise<void> => {
    const before = [...rounds]
    await expect.poll(() => rounds.every((count, index) => count > (before[index] ?? 0))).toBe(true)
  }
  await bothHaveLooked()
  expect(runs).toHaveLength(1) // a clock that never ran is due
  place.advance(3500)
  await bothHaveLooked()
  expect(runs).toHaveLength(1)
  place.advance(100)
  await bothHaveLooked()
  await bothHaveLooked()
  expect(runs).toHaveLength(2)
  const { rows } = await place.owner.query(`select due_at from jobs.clocks where name = 'sweep'`)
  expect(rows).toEqual([{ due_at: new Date('2026-03-29T14:00:00Z') }])
})

test('a run that fails or takes long neither ends the worker nor runs beside itself', async () => {
  await using place = await openTestJobs()
  const ada = await place.newOwner()
  const complaints: unknown[] = []
  let longRuns = 0
  let fine = 0
  const clocks: Clock[] = [
    { name: 'fails', everySeconds: 60, run: () => Promise.reject(new Error('no luck')) },
    {
      name: 'long',
      everySeconds: 60,
      run: (signal) => {
        longRuns++
        return new Promise((done) => signal.addEventListener('abort', done))
      },
    },
    { name: 'fine', everySeconds: 60, run: async () => fine++ },
  ]
  const log = { info: () => {}, warn: () => {}, error: (...words: unknown[]) => void complaints.push(words) }
  await place.work({ tasks: { task: async () => {} }, clocks, log, roundMs: 20 })
  await expect.poll(() => fine).toBe(1)
  place.advance(60)
  await expect.poll(() => fine).toBe(2)
  expect([longRuns, complaints]).toEqual([1, [1, 2].map(() => [{ err: new Error('no luck'), clock: 'fails' }, 'clocks: failed'])])
  await place.ask(ada, 'task')
  await expect.poll(place.jobs).toEqual([])
})

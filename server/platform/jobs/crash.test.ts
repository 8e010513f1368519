import { connect, createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTestJobs, startEndlessWorker, type TestJobs } from '#server/testing/jobs.ts'
import type { Task } from './worker.ts'

test('the job of a killed process is done by another within seconds', async () => {
  await using place = await openTestJobs()
  const ada = await place.newOwner()
  await place.ask(ada, 'wait', { keep: 'me' })
  await using killed = await startEndlessWorker(place.listen)
  const done: unknown[] = []
  await place.work({ tasks: { wait: async ({ payload }) => void done.push(payload) } })
  expect(await place.jobs()).toMatchObject([{ taken_by: 1 }])
  await killed.kill()
  await expect.poll(() => done).toEqual([{ keep: 'me' }])
})

test('a job that ends its process again and again fails in the end', async () => {
  await using place = await openTestJobs()
  const ada = await place.newOwner()
  await place.ask(ada, 'wait', { secret: 'opensesame' })
  await place.owner.query('update jobs.jobs set crashes = 9')
  await using killed = await startEndlessWorker(place.listen)
  await killed.kill()
  await place.work({ tasks: { wait: async () => {} } })
  await expect
    .poll(place.jobs)
    .toMatchObject([{ failed_at: place.now(), reason: 'crashed', error: 'The server ended 10 times while it was doing this', payload: {} }])
})

test('workers whose connections are cut go on, and no job is ever run by two', async () => {
  await using place = await openTestJobs()
  const ada = await place.newOwner()
  const { task, done, overlaps } = watched()
  await place.work({ tasks: { task } })
  await place.work({ tasks: { task } })
  for (const total of [20, 40, 60]) {
    for (let count = 0; count < 20; count++) await place.ask(ada, 'task', { count })
    await endPresences(place)
    await expect.poll(() => done.size).toBe(total)
  }
  await expect.poll(place.jobs).toEqual([])
  expect([done.size, overlaps()]).toEqual([60, 0])
})

test('a job that is slow to end after a cut is not started beside itself', async () => {
  await using place = await openTestJobs()
  const ada = await place.newOwner()
  const held = Promise.withResolvers<void>()
  let starts = 0
  const slow: Task = async (_job, signal) => {
    if (++starts > 1) return
    await once(signal, 'abort')
    await held.promise
    throw signal.reason
  }
  await place.work({ tasks: { slow, quick: async () => {} }, roundMs: 50 })
  await place.ask(ada, 'slow')
  await expect.poll(() => starts).toBe(1)
  await endPresences(place)
  for (let round = 0; round < 2; round++) {
    await place.ask(ada, 'quick')
    await expect.poll(async () => (await place.jobs()).map((job) => [job.task, job.taken_by])).toEqual([['slow', null]])
  }
  expect(starts).toBe(1)
  held.resolve()
  await expect.poll(place.jobs).toEqual([])
  expect(starts).toBe(2)
})

test('a database that goes away and comes back is found again', async () => {
  await using place = await openTestJobs()
  const ada = await place.newOwner()
  await using line = await openLine(String(place.listen.host))
  let done = 0
  await place.work({ listen: { ...place.listen, host: line.folder }, tasks: { count: async () => void done++ } })
  await place.ask(ada, 'count')
  await expect.poll(() => done).toBe(1)
  await line.cut()
  await place.ask(ada, 'count')
  await line.mend()
  await expect.poll(() => done).toBe(2)
  await place.ask(ada, 'count')
  await expect.poll(() => done).toBe(3)
})

/** A task that takes a moment, ends when it has to, and notices when a job runs twice at the same time. */
function watched(): { task: Task; done: Set<string>; overlaps: () => number } {
  const running = new Set<string>()
  const done = new Set<string>()
  let overlaps = 0
  const task: Task = async ({ id }, signal) => {
    if (running.has(id)) overlaps++
    running.add(id)
    try {
      await sleep(20, undefined, { signal })
      done.add(id)
    } finally {
      running.delete(id)
    }
  }
  return { task, done, overlaps: () => overlaps }
}

async function endPresences(place: TestJobs): Promise<void> {
  await place.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'foyer jobs' and datname = current_database()`,
  )
}

/** A line to the database that can be cut: a socket in a folder of its own that hands everything on. */
async function openLine(target: string) {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-line-'))
  const path = join(folder, '.s.PGSQL.5432')
  const sockets = new Set<Socket>()
  let server: Server
  await mend()
  return { folder, cut, mend, [Symbol.asyncDispose]: () => cut().then(() => rm(folder, { recursive: true })) }

  async function mend(): Promise<void> {
    server = createServer((near) => {
      const far = connect(join(target, '.s.PGSQL.5432'))
      for (const [socket, other] of [[near, far] as const, [far, near] as const]) {
        sockets.add(socket)
        socket.pipe(other)
        socket.on('error', () => other.destroy()).on('close', () => other.destroy())
      }
    }).listen(path)
    await once(server, 'listening')
  }

  async function cut(): Promise<void> {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    await closed
  }
}

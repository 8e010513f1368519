import { connect, createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTestJobs, startEndlessWorker, type RunJob, type TestJobs } from '#server/testing/jobs.ts'

// A worker takes jobs over a connection that holds a lock, its lease. When the lease ends, other workers can take these jobs.

test('another process runs the job of a killed process within seconds', async () => {
  await using queue = await openTestJobs()
  const ada = await queue.newOwner()
  await queue.addJob(ada, 'wait', { keep: 'me' })
  await using endlessWorker = await startEndlessWorker(queue.workerConnection)
  const done: unknown[] = []
  await queue.startWorker({ handlers: { wait: async ({ payload }) => void done.push(payload) } })
  expect(await queue.readJobs()).toMatchObject([{ taken_by: 1 }])
  await endlessWorker.kill()
  await expect.poll(() => done).toEqual([{ keep: 'me' }])
})

test('a job fails permanently when its process has crashed ten times', async () => {
  await using queue = await openTestJobs()
  const ada = await queue.newOwner()
  await queue.addJob(ada, 'wait', { secret: 'opensesame' })
  await queue.tableOwner.query('update jobs.jobs set crashes = 9')
  await using endlessWorker = await startEndlessWorker(queue.workerConnection)
  await endlessWorker.kill()
  await queue.startWorker({ handlers: { wait: async () => {} } })
  await expect
    .poll(queue.readJobs)
    .toMatchObject([{ failed_at: queue.now(), reason: 'crashed', error: 'The server ended 10 times while it was doing this', payload: {} }])
})

test('workers continue to take jobs after their connections are closed, and no job runs twice at the same time', async () => {
  await using queue = await openTestJobs()
  const ada = await queue.newOwner()
  const { run, done, overlaps } = createCountingHandler()
  await queue.startWorker({ handlers: { run } })
  await queue.startWorker({ handlers: { run } })
  for (const total of [20, 40, 60]) {
    for (let count = 0; count < 20; count++) await queue.addJob(ada, 'run', { count })
    await endLeases(queue)
    await expect.poll(() => done.size).toBe(total)
  }
  await expect.poll(queue.readJobs).toEqual([])
  expect([done.size, overlaps()]).toEqual([60, 0])
})

test('a job that still runs after the connection of its worker was closed is started again only after it has ended', async () => {
  await using queue = await openTestJobs()
  const ada = await queue.newOwner()
  const handlerMayEnd = Promise.withResolvers<void>()
  let starts = 0
  const slow: RunJob = async (_job, signal) => {
    if (++starts > 1) return
    await once(signal, 'abort')
    await handlerMayEnd.promise
    throw signal.reason
  }
  await queue.startWorker({ handlers: { slow, quick: async () => {} }, roundMs: 50 }) // looks for jobs of ended workers every 50 ms
  await queue.addJob(ada, 'slow')
  await expect.poll(() => starts).toBe(1)
  await endLeases(queue)
  // a finished quick job shows that the worker has reconnected; no worker has taken the slow job, which is waiting in the queue
  for (let round = 0; round < 2; round++) {
    await queue.addJob(ada, 'quick')
    await expect.poll(async () => (await queue.readJobs()).map((job) => [job.type, job.taken_by])).toEqual([['slow', null]])
  }
  expect(starts).toBe(1)
  handlerMayEnd.resolve()
  await expect.poll(queue.readJobs).toEqual([])
  expect(starts).toBe(2)
})

test('a worker reconnects when the database is available again', async () => {
  await using queue = await openTestJobs()
  const ada = await queue.newOwner()
  await using proxy = await openProxy(String(queue.workerConnection.host))
  let done = 0
  await queue.startWorker({
    leaseConnection: { ...queue.workerConnection, host: proxy.folder },
    handlers: { count: async () => void done++ },
  })
  await queue.addJob(ada, 'count')
  await expect.poll(() => done).toBe(1)
  await proxy.cut()
  await queue.addJob(ada, 'count')
  await proxy.open()
  await expect.poll(() => done).toBe(2)
  await queue.addJob(ada, 'count')
  await expect.poll(() => done).toBe(3)
})

/** Creates a handler that takes 20 ms. `overlaps` counts how often a job started while the same job was running. */
function createCountingHandler(): { run: RunJob; done: Set<string>; overlaps: () => number } {
  const running = new Set<string>()
  const done = new Set<string>()
  let overlaps = 0
  const run: RunJob = async ({ id }, signal) => {
    if (running.has(id)) overlaps++
    running.add(id)
    try {
      await sleep(20, undefined, { signal })
      done.add(id)
    } finally {
      running.delete(id)
    }
  }
  return { run, done, overlaps: () => overlaps }
}

/** Closes the connections of all workers. */
async function endLeases(queue: TestJobs): Promise<void> {
  await queue.tableOwner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'foyer jobs' and datname = current_database()`,
  )
}

/** Opens a proxy to the database whose socket is in the folder `target`. `cut` closes the proxy and all its connections. */
async function openProxy(target: string) {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-proxy-'))
  const path = join(folder, '.s.PGSQL.5432')
  const sockets = new Set<Socket>()
  let server: Server
  await open()
  return { folder, cut, open, [Symbol.asyncDispose]: () => cut().then(() => rm(folder, { recursive: true })) }

  async function open(): Promise<void> {
    server = createServer((clientSocket) => {
      const databaseSocket = connect(join(target, '.s.PGSQL.5432'))
      forward(clientSocket, databaseSocket)
      forward(databaseSocket, clientSocket)
    }).listen(path)
    await once(server, 'listening')
  }

  function forward(from: Socket, to: Socket): void {
    sockets.add(from)
    from.pipe(to)
    from.on('error', () => to.destroy()).on('close', () => to.destroy())
  }

  async function cut(): Promise<void> {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    await closed
  }
}

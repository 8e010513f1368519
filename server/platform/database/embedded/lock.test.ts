import { once } from 'node:events'
import { linkSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeLock } from './lock.ts'

// A lock is a listening socket `owner-<number>` in the folder. A greeting is the text that its holder sends to each connection.

/** A start waits this long for a holder that is running, or that is stopping. */
const timeouts = { runningMs: 100, stoppingMs: 5000 }
let folder: string
beforeEach(() => {
  folder = mkdtempSync('/tmp/foyer-test-')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('only one of many concurrent starts that find the same dead socket gets the lock', async () => {
  await leaveDeadSocket(3)
  const starts = await Promise.allSettled(Array.from({ length: 20 }, () => takeLock(folder, '/srv/foyer', timeouts)))
  const [lock, ...others] = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  expect(others).toEqual([])
  const refusals = starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []))
  expect(refusals).toHaveLength(19)
  for (const refusal of refusals) expect(refusal).toContain(`in use by the Foyer (process ${process.pid} on `)
  expect(readdirSync(folder)).toEqual(['owner-4'])
  await lock?.release()
})

test('a waiting start gets the lock as soon as the holder releases it', async () => {
  const first = await takeLock(folder, '/srv/foyer', timeouts)
  const second = takeLock(folder, '/srv/foyer', timeouts)
  await first.release()
  await (await second).release()
  expect(readdirSync(folder)).toEqual(['owner-2']) // a released socket remains, and the next start finds that it is dead
})

test('a holder that sends no greeting keeps its lock', async () => {
  const server = await listenAt('owner-1')
  await expect(takeLock(folder, '/srv/foyer', timeouts)).rejects.toThrow('/srv/foyer is in use by a process that does not answer')
  server.close()
})

/** Starts a server that accepts connections and sends nothing. */
async function listenAt(name: string): Promise<Server> {
  const server = createServer(() => {}).listen(join(folder, name))
  await once(server, 'listening')
  return server
}

/** Creates the socket of a killed holder, on which no process listens. */
async function leaveDeadSocket(number: number): Promise<void> {
  const server = await listenAt('killed')
  linkSync(join(folder, 'killed'), join(folder, `owner-${number}`))
  server.close()
  await once(server, 'close')
}

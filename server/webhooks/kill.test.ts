// A server that is killed between a change and its webhook loses no delivery, and repeats a delivery with the same id.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { openTestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'
import { startServerProcess } from '#server/testing/server-process.ts'
import { startWebhookReceiver } from '#server/testing/webhook-receiver.ts'

const Log = z.object({ rows: z.array(z.object({ id: z.string(), status: z.string() })) })

test(
  'changes before a kill are sent after the next start, and a delivery that was being sent keeps its id',
  { timeout: 300_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'foyer-test-webhooks-'))
    await using receiver = await startWebhookReceiver()
    const app = await openTestApp({ allowedHosts: ['127.0.0.1'] })
    const ada = await signInAs(app, 'ada')
    const { id } = (await ada.send({ method: 'POST', url: '/api/webhooks', payload: { url: receiver.url } })).json()
    await app.stop()
    const options = { connections: app.connections, storage: { folder }, allowedHosts: ['127.0.0.1'] }
    const startAndAdd = async (names: string[]) => {
      const server = await startServerProcess(options)
      const headers = { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' }
      for (const first_name of names) {
        const body = JSON.stringify({ first_name, last_name: 'Example' })
        expect((await fetch(`${server.address}/api/contacts`, { method: 'POST', headers, body })).status).toBe(201)
      }
      return { server, headers }
    }
    receiver.setRespond(() => {}) // answers nothing, so that the servers are killed while they wait
    const first = await startAndAdd(['Ann', 'Bob', 'Cid'])
    await first.server.kill() // before the schedule that makes the deliveries, or after it
    const sentByFirst = receiver.messages.length
    const second = await startAndAdd(['Dan'])
    await expect.poll(() => receiver.messages.length - sentByFirst, { timeout: 20_000 }).toBeGreaterThanOrEqual(3)
    await second.server.kill()
    const idsBefore = new Set(receiver.messages.map(({ headers }) => headers['webhook-id']))
    receiver.messages.length = 0
    receiver.setRespond((response) => void response.writeHead(204).end())
    await using last = (await startAndAdd([])).server
    const readLog = async () => {
      const response = await fetch(`${last.address}/api/webhooks/${id}/deliveries`, { headers: { authorization: `Bearer ${ada.token}` } })
      return Log.parse(await response.json()).rows
    }
    await expect
      .poll(async () => (await readLog()).map(({ status }) => status), { timeout: 20_000 })
      .toEqual(Array.from({ length: 4 }, () => 'delivered'))
    const ids = new Set((await readLog()).map((each) => each.id))
    expect([...idsBefore].every((sent) => ids.has(String(sent)))).toBe(true)
    expect(new Set(receiver.messages.map(({ body }) => JSON.parse(body).data.record.first_name))).toEqual(
      new Set(['Ann', 'Bob', 'Cid', 'Dan']),
    )
    rmSync(folder, { recursive: true })
  },
)

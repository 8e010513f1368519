import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { defineRoutes } from '#contract/route.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { openTestRouter } from '#server/testing/router.ts'
import { mount } from './mount.ts'

const routes = defineRoutes({
  upload: {
    method: 'POST',
    path: '/api/refused',
    summary: 'Refuses a body after its first chunk',
    caller: 'anyone',
    changes: { noUndo: 'nothing is stored' },
    upload: true,
    example: {},
  },
})

test('an upload that is refused while its body is sent gets the response, and the connection can be used for the next request', async () => {
  const app = await openTestRouter()
  let bytes = 0
  mount(app.router, routes, {
    upload: async ({ body }) => {
      for await (const chunk of body.content.iterator({ destroyOnReturn: false })) {
        bytes += Buffer.from(chunk).byteLength
        throw new Refusal('too_large')
      }
    },
  })
  const port = Number(new URL(await app.server.listen({ port: 0, host: '127.0.0.1' })).port)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = async (): Promise<number | undefined> => {
    const clientRequest = request({ port, path: '/api/refused', method: 'POST', agent })
    clientRequest.end(Buffer.alloc(5_000_000))
    const [response]: IncomingMessage[] = await once(clientRequest, 'response')
    response?.resume()
    return response?.statusCode
  }
  expect([await send(), await send(), await send()]).toEqual([413, 413, 413])
  expect(bytes).toBeLessThan(5_000_000)
  agent.destroy()
  await app.stop()
})

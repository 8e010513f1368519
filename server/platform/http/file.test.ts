import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { sendFile } from './file.ts'

const part = 'x'.repeat(64 * 1024)
let stop = async (): Promise<void> => {}
afterEach(() => stop())

/** A file route that sends these parts, and the answer to one who asks for it. */
async function askFor(parts: () => AsyncGenerator<string>): Promise<IncomingMessage> {
  const app = fastify()
  app.get('/', (_request, reply) => sendFile('text/csv', { name: 'all.csv', parts: parts() }, reply))
  const asked = get(await app.listen({ port: 0, host: '127.0.0.1' }))
  stop = async () => {
    asked.destroy()
    await app.close()
  }
  const [answer] = await once(asked, 'response')
  return answer
}

test('nothing more is made for one who broke off', async () => {
  let made = 0
  let isOver = false
  const answer = await askFor(async function* endless() {
    try {
      for (;;) {
        made++
        yield part
      }
    } finally {
      isOver = true
    }
  })
  await once(answer, 'data')
  answer.destroy()
  await expect.poll(() => isOver).toBe(true)
  expect(made).toBeLessThan(1000)
})

test('a file that fails on its way is cut off: nobody takes it for the whole', async () => {
  const answer = await askFor(async function* failing() {
    yield part
    throw new Error('The database is away')
  })
  await expect(text(answer)).rejects.toThrow('aborted')
})

test('an empty file is a file', async () => {
  const answer = await askFor(async function* empty() {})
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-disposition']).toBe('attachment; filename="all.csv"')
})

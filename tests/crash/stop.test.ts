// The product is stopped with SIGTERM while a client sends a request slowly, and while a job waits for a mail server that does not respond.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import pg from 'pg'
import { findFreePort } from '#server/testing/port.ts'
import { installProduct, type Product } from '../product.ts'

let mailServer: Server
let product: Product
const mailConnections = new Set<Socket>()
beforeAll(async () => {
  const port = await findFreePort()
  mailServer = createServer((connection) => void mailConnections.add(connection)).listen(port, '127.0.0.1') // never responds
  await once(mailServer, 'listening')
  product = await installProduct({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'foyer@crm.example' })
  await product.start()
})
afterAll(async () => {
  mailServer.close()
  for (const connection of mailConnections) connection.destroy() // otherwise the stop waits some seconds for the job
  await product[Symbol.asyncDispose]()
})

test(
  'a slow request does not delay a stop; the interrupted job waits to run again, and counts neither an attempt nor a crash',
  { timeout: 120_000 },
  async () => {
    onTestFailed(() => console.log(product.log()))
    const person = { email: 'ada@example.org', password: 'analytical engine', full_name: 'Ada', timezone: 'Europe/London' }
    expect((await post('/api/users', person)).status).toBe(201)
    const mailConnected = once(mailServer, 'connection')
    expect((await post('/api/password-resets', { email: person.email })).status).toBe(204)
    await mailConnected
    const sending = await sendSlowly()
    const startedAt = performance.now()
    expect(await product.stop()).toBe(0)
    expect(product.log()).not.toContain('a database connection was lost')
    // without a limit, the stop would wait for the request for at least 60 s
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    sending.stop()

    await product.start()
    const tableOwner = new pg.Client({ host: join(product.folder, 'run'), database: 'foyer', user: 'foyer' })
    await tableOwner.connect()
    const { rows } = await tableOwner.query('select type, crashes, attempts from jobs.jobs')
    await tableOwner.end()
    expect(rows).toEqual([{ type: 'mail', crashes: 0, attempts: 0 }])
  },
)

const post = (path: string, body: object): Promise<Response> =>
  fetch(product.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** Sends the body of a request at one byte per half second. Resolves when the server has received the head of the request. */
async function sendSlowly(): Promise<{ stop: () => void }> {
  const { hostname, port } = new URL(product.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {}) // the server closes the connection
  await once(socket, 'connect')
  socket.write(
    'POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 9000\r\n\r\n',
  )
  await once(socket, 'data') // `100 Continue`
  const timer = setInterval(() => socket.write(' '), 500)
  return { stop: () => clearInterval(timer) }
}

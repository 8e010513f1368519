// The server, the database or both are killed with SIGKILL between an event and its mails. The events: a booking, a cancelled booking for
// whose time visitors wait, and a webhook that has failed for a day. Every mail is then sent, and if it is sent twice, with the same id.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { createPageTokens } from '#server/platform/http/visitors/page-token.ts'
import { createProofOfWork, setProofDifficulty } from '#server/platform/http/visitors/proof-of-work.ts'
import { startMailServer, type MailServer } from '#server/testing/mail.ts'
import { createRandom } from '#server/testing/random.ts'
import { everyDay } from '#server/testing/visits.ts'
import { solveProof } from '#server/testing/visitors.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#server/testing/webhook-receiver.ts'
import { installProduct, type Product } from '../product.ts'
import { signUp } from './writers.ts'

const targets = ['server', 'database', 'both'] as const
const moments = ['after the requests', 'while mails to waiting visitors are stored', 'after the webhook was refused'] as const

const seed = Number(process.env['FOYER_SEED'] ?? Date.now() % 1_000_000)
const random = createRandom(seed)
const killCount = process.env['FOYER_FULL'] === '1' ? 18 : 3
/** The number of visitors who wait for one time, so that storing their mails takes long enough for a kill in the middle. */
const waitingCount = 20

let mailServer: MailServer
let receiver: WebhookReceiver
let product: Product
let tableOwner: pg.Pool
let headers: Record<string, string>
beforeAll(async () => {
  console.log(`mails: FOYER_SEED=${seed}`)
  mailServer = await startMailServer()
  receiver = await startWebhookReceiver()
  receiver.setRespond((response) => void response.writeHead(503).end())
  product = await installProduct({ SMTP_URL: mailServer.url, MAIL_FROM: 'foyer@example.org', FOYER_ALLOWED_HOSTS: '127.0.0.1' })
  await product.start()
  tableOwner = new pg.Pool({ host: join(product.folder, 'run'), database: 'foyer', user: 'foyer', max: 1 })
  tableOwner.on('error', () => {}) // the database is killed
  headers = { authorization: `Bearer ${(await signUp(product.url, 'ada')).token}`, 'content-type': 'application/json' }
})
afterAll(async () => {
  await tableOwner.end()
  await product[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await mailServer[Symbol.asyncDispose]()
})

test(
  `after each of ${killCount} kills every mail is sent, and none twice with different ids`,
  { timeout: 60_000 + killCount * 60_000 },
  async () => {
    onTestFailed(() => console.log(product.log()))
    const availability = everyDay('10:00', '10:30')
    const link = await send('POST', '/api/booking-links', { title: 'Visit', availability, duration_minutes: 30 })
    const owner: string = (await send('GET', '/api/profile')).id
    const expected: string[] = []
    for (let kill = 0; kill < killCount; kill++) {
      // nine kills in a row have all pairs of target and moment
      const target = targets[(kill + Math.floor(kill / targets.length)) % targets.length] ?? 'server'
      const moment = moments[kill % moments.length] ?? 'after the requests'
      const booking = await book(link.id, owner, `first${kill}@example.org`, 2)
      await addWaits(owner, link.id, kill)
      await addFailingWebhook(`Failing ${kill}`)
      receiver.messages.length = 0
      await send('PATCH', `/api/bookings/${booking.id}`, { status: 'cancelled' })
      await send('POST', '/api/contacts', { first_name: 'Ann', last_name: `Example ${kill}` })
      await book(link.id, owner, `second${kill}@example.org`, 3 + kill)
      await waitUntil(moment)
      console.log(`mails: ${target} killed ${moment}`)
      await killAndStart(target)
      expected.push(
        ...Array.from({ length: waitingCount }, (_, index) => `waiting${kill}-${index}@example.org: A time is free: Visit`),
        `ada@example.org: Webhook is failing: Failing ${kill}`,
        ...['first', 'second'].map((visitor) => `${visitor}${kill}@example.org: Confirmed: Visit`),
      )
      await startWaitJobs()
      await expect.poll(listSent, { timeout: 60_000, interval: 200 }).toEqual(expect.arrayContaining(expected))
    }
    await startWaitJobs()
    await expect.poll(async () => (await query(`select from outbox_mails where state = 'waiting'`)).rowCount, { timeout: 60_000 }).toBe(0)
    const isOfTestedKind = (mail: string): boolean => /: (?:A time is free|Webhook|Confirmed)/.test(mail)
    expect(listSent().filter(isOfTestedKind).toSorted()).toEqual(expected.toSorted())
  },
)

/** Lists the recipients and subjects. Mails with the same id count once, because a mail without a confirmation is sent again. */
function listSent(): string[] {
  const read = (lines: readonly string[], name: string): string =>
    lines.find((line) => line.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
  const byId = new Map(
    mailServer.received.map(({ to, headers: lines }) => [read(lines, 'message-id'), `${to.join()}: ${read(lines, 'subject')}`]),
  )
  return [...byId.values()]
}

async function send(method: string, path: string, body?: object, extraHeaders: Record<string, string> = {}) {
  const options = { method, headers: { ...headers, ...extraHeaders }, ...(body && { body: JSON.stringify(body) }) }
  const response = await fetch(product.url + path, options)
  const text = await response.text()
  expect(response.status, text).toBeLessThan(300)
  return JSON.parse(text)
}

/** Books the first free time after some days. Creates an old page token, because the server refuses one that is only some seconds old. */
async function book(link: string, owner: string, email: string, minDays: number): Promise<{ id: string }> {
  const installationKey = readFileSync(join(product.folder, 'secret.key'), 'utf8').trim()
  setProofDifficulty({ iterations: 1, prefix: '0' })
  const pageToken = createPageTokens(installationKey, () => new Date(Date.now() - 10_000)).issue({ owner, kind: 'booking link', id: link })
  const proof = await solveProof(createProofOfWork(installationKey).createChallenge(pageToken.id, 1))
  const path = `/api/public/booking-links/${link}`
  const from = new Date(Date.now() + minDays * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  const { days } = await (await fetch(`${product.url}${path}/times?timezone=Europe/London&from=${from}`)).json()
  const [{ start_time }] = days.flatMap(({ times }: { times: { start_time: string }[] }) => times)
  const body = { start_time, timezone: 'Europe/London', name: 'Mary', email, page_token: pageToken.token, proof }
  return send('POST', `${path}/bookings`, body, { 'idempotency-key': email })
}

/**
 * Inserts visitors who wait for a free time on one day. They are inserted because the limits of a network would refuse so many requests.
 */
const addWaits = (owner: string, link: string, kill: number) =>
  query(
    `insert into booking_waits (user_id, booking_link_id, name, email, timezone, first_day, last_day, from_time, until_time, known_times)
     select $1, $2, 'Mary', 'waiting' || $3 || '-' || number || '@example.org', 'Europe/London', day, day, day, day + 1,
       '[]' from generate_series(0, $4 - 1) number, (select current_date + 2 as day) days`,
    [owner, link, kill, waitingCount],
  )

/** Adds a webhook endpoint that has failed for more than a day. */
async function addFailingWebhook(description: string): Promise<void> {
  const { id } = await send('POST', '/api/webhooks', { url: receiver.url, description })
  await query(`update webhook_endpoints set failing_since = now() - interval '25 hours' where id = $1`, [id])
}

async function waitUntil(moment: (typeof moments)[number]): Promise<void> {
  if (moment === 'after the requests') return
  if (moment === 'after the webhook was refused') {
    await expect.poll(() => receiver.messages.length, { timeout: 20_000, interval: 1 }).toBeGreaterThan(0)
    return sleep(random.below(20))
  }
  const countWaiting = async (): Promise<number | null> => (await query('select from booking_waits where mailed_at is null')).rowCount
  const minMailed = random.below(waitingCount)
  await startWaitJobs()
  await expect.poll(countWaiting, { timeout: 20_000, interval: 1 }).toBeLessThan(waitingCount - minMailed)
}

/** Starts the jobs about waiting visitors, which otherwise run a minute after a change. */
const startWaitJobs = () =>
  query(
    `with due as (update jobs.jobs set run_at = '-infinity' where type = 'booking waits' returning id) select pg_notify('jobs', '') from due`,
  )

/** Kills the target, and starts the server again if it was killed; a running server starts a killed database itself. */
async function killAndStart(target: (typeof targets)[number]): Promise<void> {
  if (target !== 'server') process.kill(product.databaseProcessId(), 'SIGKILL')
  if (target !== 'database') {
    process.kill(product.serverProcessId(), 'SIGKILL')
    await product.exited()
    await product.start()
  }
  const isReady = async (): Promise<boolean> => (await fetch(`${product.url}/api/profile`, { headers })).ok
  await expect.poll(isReady, { timeout: 30_000, interval: 50 }).toBe(true)
}

/** Sends a query as the table owner. Repeats it while the database is not running. */
async function query(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const result = await tableOwner.query(text, values).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && !error.code?.startsWith('57P')) throw error // 57P: the database ends or starts
    return undefined
  })
  if (result) return result
  await sleep(50)
  return query(text, values)
}

// The server is killed with SIGKILL right after a booking. After the restart the mails of the booking are sent, each of them once.
import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { createPageTokens } from '#server/platform/http/visitors/page-token.ts'
import { createProofOfWork, setProofCost } from '#server/platform/http/visitors/proof-of-work.ts'
import { startMailServer, type MailServer } from '#server/testing/mail.ts'
import { solveProof } from '#server/testing/visitors.ts'
import { installProduct, type Product } from '../product.ts'
import { signUp } from './writers.ts'

const killCount = process.env['FOYER_FULL'] === '1' ? 10 : 2

let mailServer: MailServer
let product: Product
beforeAll(async () => {
  mailServer = await startMailServer()
  product = await installProduct({ SMTP_URL: mailServer.url, MAIL_FROM: 'foyer@example.org' })
  await product.start()
}, 60_000)
afterAll(async () => {
  await product[Symbol.asyncDispose]()
  await mailServer[Symbol.asyncDispose]()
}, 30_000)

test(`after each of ${killCount} kills both mails of a booking arrive once`, { timeout: 60_000 + killCount * 60_000 }, async () => {
  onTestFailed(() => console.log(product.log()))
  const { token } = await signUp(product.url, 'ada')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const { id } = await send('/api/booking-links', { title: 'Visit' }, headers)
  const profile: { id: string } = await (await fetch(`${product.url}/api/profile`, { headers })).json()
  const visitors: string[] = []
  for (let kill = 0; kill < killCount; kill++) {
    visitors.push(`visitor${kill}@example.org`)
    await book(id, profile.id, visitors.at(-1) ?? '')
    process.kill(product.serverProcessId(), 'SIGKILL')
    await product.exited()
    await product.start()
  }
  const readReceivers = (): string[] => mailServer.received.flatMap(({ to }) => to).filter((address) => visitors.includes(address))
  await expect.poll(() => new Set(readReceivers()).size, { timeout: 60_000, interval: 200 }).toBe(killCount)
  await expect.poll(() => mailServer.received.length, { timeout: 60_000, interval: 200 }).toBeGreaterThanOrEqual(2 * killCount)
  // a kill between the confirmation of the mail server and our note of it sends a mail again, with the same id
  const ids = new Set(mailServer.received.map(({ headers: lines }) => lines.find((line) => /^message-id/i.test(line))))
  expect(ids.size).toBe(2 * killCount)
})

async function send(path: string, body: object, headers: Record<string, string>) {
  const response = await fetch(product.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  expect(response.status, text).toBeLessThan(300)
  return JSON.parse(text)
}

/** Books the next free time. The page token is made with the key of the installation, because a visitor needs some seconds. */
async function book(link: string, owner: string, email: string): Promise<void> {
  const secret = readFileSync(join(product.folder, 'secret.key'), 'utf8').trim()
  setProofCost({ iterations: 1, prefix: '0' })
  const {
    id,
    token: page_token,
    expiresAt,
  } = createPageTokens(secret, () => new Date(Date.now() - 10_000)).issue({ owner, kind: 'booking link', id: link })
  const proof = await solveProof(createProofOfWork(secret).createChallenge(id, expiresAt, 1))
  const path = `/api/public/booking-links/${link}`
  const { days } = await (await fetch(`${product.url}${path}/times?timezone=Europe/London`)).json()
  const body = { start_time: days[1].times[0].start_time, timezone: 'Europe/London', name: 'Mary', email, page_token, proof }
  await send(`${path}/bookings`, body, { 'content-type': 'application/json', 'idempotency-key': email })
}

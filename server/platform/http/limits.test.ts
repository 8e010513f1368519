// A network may request 10 password links in 15 minutes. The server of these tests sends no mail, so an allowed request gets status 409,
// and one above the limit 429.
import pg from 'pg'
import { expect, test } from 'vitest'
import { openTestApp } from '#server/testing/app.ts'
import { createAttempts } from './limits.ts'

test('attempts are counted together by IPv4 address and by the first 64 bits of IPv6, however the address is written', async () => {
  const app = await openTestApp({ trustedProxies: 1 })
  const requestReset = async (address: string): Promise<number> => {
    const headers = { 'x-forwarded-for': address }
    const response = await app.server.inject({ method: 'POST', url: '/api/password-resets', payload: { email: 'a@b.co' }, headers })
    return response.statusCode
  }
  for (let attempt = 1; attempt <= 10; attempt++) expect(await requestReset(`2001:db8:1:2:${attempt}::${attempt}`)).toBe(409)
  expect(await requestReset('2001:db8:1:2::ffff')).toBe(429)
  expect(await requestReset('2001:0DB8:0001:0002:0:0:0:1')).toBe(429)
  expect(await requestReset('2001:db8:1:3::1')).toBe(409)
  expect(await requestReset('::ffff:192.0.2.1')).toBe(409)
  for (let attempt = 1; attempt <= 10; attempt++) await requestReset('::ffff:192.0.2.1')
  expect(await requestReset('192.0.2.1'), 'the same address, written as IPv4').toBe(429)
  expect(await requestReset('0:0:0:0:0:ffff:192.0.2.1'), 'the same address, written in full').toBe(429)
  expect(await requestReset('::ffff:192.0.2.2')).toBe(409)
  for (let attempt = 1; attempt <= 10; attempt++) expect(await requestReset(`198.51.100.1:${40_000 + attempt}`)).toBe(409)
  expect(await requestReset('198.51.100.1:50000'), 'a port does not make another network').toBe(429)
  expect(await requestReset('[2001:db8:1:2::1]:50000')).toBe(429)
  for (let attempt = 1; attempt <= 10; attempt++) expect(await requestReset(`invented ${attempt}`)).toBe(409)
  expect(await requestReset('invented 11'), 'texts that are no addresses are one network').toBe(429)
  await app.stop()
})

test('a client without attempts left is refused without a query to the database until the 15 minutes are over', async () => {
  let clock = new Date()
  const app = await openTestApp({ now: () => clock })
  const requestReset = async (): Promise<number> =>
    (await app.server.inject({ method: 'POST', url: '/api/password-resets', payload: { email: 'a@b.co' } })).statusCode
  const readCounters = async (): Promise<unknown> => (await app.tableOwner.query('select count from attempts')).rows
  for (let attempt = 1; attempt <= 10; attempt++) expect(await requestReset()).toBe(409)
  for (let attempt = 11; attempt <= 20; attempt++) expect(await requestReset()).toBe(429)
  expect(await readCounters()).toEqual([{ count: 11 }])
  clock = new Date(clock.getTime() + 15 * 60_000)
  expect(await requestReset()).toBe(409)
  expect(await readCounters()).toEqual([{ count: 1 }])
  await app.stop()
})

test('an attempt is counted under several counters in their order, up to the first one that is above its limit', async () => {
  const app = await openTestApp()
  const pool = new pg.Pool({ ...app.connections.application, max: 1 })
  const processes = [createAttempts(pool, () => new Date()), createAttempts(pool, () => new Date())] as const
  const [email, page, owner] = [
    { key: ['email'], limit: 5 },
    { key: ['page'], limit: 2 },
    { key: ['owner'], limit: 5 },
  ]
  for (let attempt = 1; attempt <= 2; attempt++) await processes[0].count(email, page, owner)
  // the first process learns from the database and then from its memory that the limit is exceeded, the second one from the database
  for (const attempts of [processes[0], processes[0], processes[1]])
    await expect(attempts.count(email, page, owner)).rejects.toMatchObject({ code: 'too_many_requests' })
  const { rows } = await app.tableOwner.query('select count from attempts order by 1')
  // owner, page and email: the email is counted each time, and the page is not when a process remembers that its limit is exceeded
  expect(rows.map(({ count }) => count)).toEqual([2, 4, 5])
  await pool.end()
  await app.stop()
})

import { expect, test } from 'vitest'
import { openTestApp } from '#server/testing/app.ts'

test('IPv6 addresses with the same first 64 bits count as one address', async () => {
  const app = await openTestApp({ trustedProxies: 1 })
  const ask = async (address: string): Promise<number> => {
    const headers = { 'x-forwarded-for': address }
    const response = await app.server.inject({ method: 'POST', url: '/api/password-resets', payload: { email: 'a@b.co' }, headers })
    return response.statusCode
  }
  for (let tried = 1; tried <= 10; tried++) expect(await ask(`2001:db8:1:2:${tried}::${tried}`)).toBe(409)
  expect(await ask('2001:db8:1:2::ffff')).toBe(429)
  expect(await ask('2001:0DB8:0001:0002:0:0:0:1')).toBe(429)
  expect(await ask('2001:db8:1:3::1')).toBe(409)
  expect(await ask('::ffff:192.0.2.1')).toBe(409)
  for (let tried = 1; tried <= 10; tried++) await ask('::ffff:192.0.2.1')
  expect(await ask('192.0.2.1'), 'the same address in the older spelling').toBe(429)
  expect(await ask('::ffff:192.0.2.2')).toBe(409)
  await app.stop()
})

test('a client without attempts left is refused without a query until the 15 minutes are over', async () => {
  let clock = new Date()
  const app = await openTestApp({ now: () => clock })
  const ask = async (): Promise<number> =>
    (await app.server.inject({ method: 'POST', url: '/api/password-resets', payload: { email: 'a@b.co' } })).statusCode
  const counted = async (): Promise<unknown> => (await app.owner.query('select count from attempts')).rows
  for (let tried = 1; tried <= 10; tried++) expect(await ask()).toBe(409)
  for (let tried = 11; tried <= 20; tried++) expect(await ask()).toBe(429)
  expect(await counted()).toEqual([{ count: 11 }])
  clock = new Date(clock.getTime() + 15 * 60_000)
  expect(await ask()).toBe(409)
  expect(await counted()).toEqual([{ count: 1 }])
  await app.stop()
})

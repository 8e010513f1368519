// JSON bodies of routes that take large ones. A body of very many values would block all other requests while it is read.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { measureCpuMs } from '#server/testing/cpu.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp({ fileLimits: { quotaBytes: 0, jsonFileBytes: 12 * 1024 ** 2 } })
  ada = await signInAs(app, 'ada')
})
afterAll(() => app.stop())

const post = (payload: string) =>
  ada.send({ method: 'POST', url: '/functions/v1/import-crm-contacts', payload, headers: { 'content-type': 'application/json' } })

const count = 600_000
test.each([
  ['keys', `{"values":{${Array.from({ length: count }, (_, index) => `"k${index}":""`).join(',')}}}`],
  ['objects', `{"files":[${'{},'.repeat(count)}{}]}`],
  ['numbers', `{"files":[${'1,'.repeat(count)}1]}`],
  ['nested arrays', '['.repeat(6 * count)],
  ['quotes and backslashes', `{"values":{"a":"${String.raw`\"`.repeat(count)}${'\\'.repeat(count)}`],
])('a large body of very many %s is refused as malformed in a short time', async (_name, payload) => {
  let response: Awaited<ReturnType<typeof post>> | undefined
  expect(await measureCpuMs(async () => (response = await post(payload)))).toBeLessThan(1000)
  expect([response?.statusCode, response?.json().code]).toEqual([400, 'malformed'])
})

test('separators in a text of a large body are not counted', async () => {
  const text = String.raw`,[{\"\\`.repeat(20_000)
  const response = await post(`{"fileContent":"${text}","fileName":"a\\\\"}`)
  expect(response.json().code).not.toBe('malformed')
})

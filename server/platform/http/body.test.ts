import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const post = (payload: string) =>
  app.server.inject({ method: 'POST', url: '/api/session', payload, headers: { 'content-type': 'application/json' } })

test('JSON that is nested too deeply is refused before its values are checked', async () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const response = await post(`${open.repeat(100_000)}"\\u0000"${close.repeat(100_000)}`)
    expect([response.statusCode, response.json().code]).toEqual([400, 'malformed'])
  }
})

test('a response names at most a hundred of a thousand wrong fields', async () => {
  const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`, 1]))
  const response = await post(JSON.stringify(fields))
  expect(response.statusCode).toBe(422)
  expect(Object.keys(response.json().fields).length).toBeLessThanOrEqual(100)
  expect(response.json().fields).toHaveProperty('email')
})

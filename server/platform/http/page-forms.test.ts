// Forms that browsers send to the address of a page. A form of very many entries would block all other requests while it is read.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { measureCpuMs } from '#server/testing/cpu.ts'
import { contentPages } from '#server/testing/pages.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ pages: contentPages })
})
afterAll(() => app.stop())

const entries = 'a&'.repeat(400_000)
const parts = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(15_000)
// the separators must be counted also if other parameters of the type look like the boundary
test.each([
  ['application/x-www-form-urlencoded', entries],
  ['application/x-www-form-urlencoded; boundary=other', entries],
  ['multipart/form-data; boundary=b', `${parts}--b--`],
  ['multipart/form-data; xboundary=other; boundary=b', `${parts}--b--`],
  ['multipart/form-data; x="; boundary=other"; boundary=b', `${parts}--b--`],
  ['multipart/form-data; boundary=b; x="; boundary=other"', `${parts}--b--`],
  ['multipart/form-data', `${parts}--b--`],
])('a form of the type %s with very many entries is refused in a short time', async (type, payload) => {
  const headers = { 'content-type': type }
  let response: { statusCode: number } | undefined
  const send = async () => (response = await app.server.inject({ method: 'POST', url: '/form/anything', payload, headers }))
  expect(await measureCpuMs(send)).toBeLessThan(1000)
  expect(response?.statusCode).toBe(400)
})

// A flood of submissions over real HTTP, to two processes of one installation.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addForm, answerForm, createClock } from '#server/testing/forms.ts'
import { measureGrowth } from '#server/testing/memory.ts'
import { signInAs } from '#server/testing/people.ts'
import { startServerProcess } from '#server/testing/server-process.ts'

/** FOYER_FULL=1 runs tests with larger numbers. */
const requestCount = process.env['FOYER_FULL'] === '1' ? 5000 : 400
const maxConcurrentRequests = 20
/** The maximum number of requests from one network in 15 minutes. */
const maxRequestsOfNetwork = 60
const maxGrowthMb = 40

const clock = createClock()
let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ now: clock.now })
})
afterAll(() => app.stop())

test.runIf(process.platform === 'linux')(
  'two processes together handle 60 requests of a flood from one network and refuse the others, also after a restart; memory stays constant and other forms work',
  { timeout: 300_000 },
  async () => {
    const ada = await signInAs(app, 'ada')
    const [flooded, other] = [await addForm(ada), await addForm(ada)]
    const { token } = app.router.visitors.openPage({ owner: ada.id, kind: 'form', id: flooded.id }, '127.0.0.1')
    const start = () => startServerProcess({ connections: app.connections, storage: { folder: app.filesFolder } })
    await using first = await start()
    await using second = await start()
    /** Sends a request whose header names another client address. Returns its status, and the seconds after which it may be sent again. */
    const send = async (server: { address: string }, number: number): Promise<{ status: number; retryAfter: number }> => {
      const response = await fetch(`${server.address}/api/public/forms/${flooded.id}/submissions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': `flood-${number}`,
          'x-forwarded-for': `203.0.113.${number % 250}`,
        },
        body: JSON.stringify({ values: { first_name: 'Ann', unknown: 'x'.repeat(2000) }, page_token: token, without_script: true }),
      })
      await response.text()
      return { status: response.status, retryAfter: Number(response.headers.get('retry-after')) }
    }
    const refused: { status: number; retryAfter: number }[] = []
    const flood = async (count: number, from: number): Promise<void> => {
      const numbers = Array.from({ length: count }, (_, index) => from + index).values()
      const sendNext = async (): Promise<void> => {
        for (const number of numbers) {
          const result = await send(number % 2 === 0 ? first : second, number)
          if (result.status === 429) refused.push(result)
          else expect(result.status).toBeLessThan(500) // 422, because the last name is missing
        }
      }
      await Promise.all(Array.from({ length: maxConcurrentRequests }, sendNext))
    }
    await flood(requestCount / 2, 0) // loads the code that requests need
    const growth = await measureGrowth(first.pid, () => flood(requestCount / 2, requestCount / 2))

    expect(requestCount - refused.length).toBe(maxRequestsOfNetwork)
    expect(refused.every(({ retryAfter }) => retryAfter > 0 && retryAfter <= 15 * 60)).toBe(true)
    expect(growth).toBeLessThan(maxGrowthMb)
    expect((await answerForm({ app, person: ada, clock }, other)).statusCode).toBe(200)
    await second.kill()
    await using restarted = await start()
    expect((await send(restarted, requestCount)).status).toBe(429)
  },
)

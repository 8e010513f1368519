import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { startCalendarServer, toCalendar, type CalendarServer } from '#server/testing/calendar-server.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { createVisitClock } from '#server/testing/visits.ts'

const clock = createVisitClock()
let app: TestApp
let server: CalendarServer
beforeAll(async () => {
  server = await startCalendarServer()
  app = await openTestApp({ now: clock.now, allowedHosts: ['127.0.0.1'] })
})
afterAll(async () => {
  await app.stop()
  await server[Symbol.asyncDispose]()
})

test('the calendars of other owners are read while an account is being deleted', { timeout: 10_000 }, async () => {
  server.setFile(toCalendar())
  const countRequests = (name: string): number => server.requests.filter(({ path }) => path.includes(name)).length
  const addCalendar = async (person: Person, name: string): Promise<void> => {
    const payload = { name: 'Family', address: `${server.url}basic-${name}.ics` }
    expect((await person.send({ method: 'POST', url: '/api/other-calendars', payload })).statusCode).toBe(201)
  }
  const [ada, grace] = [await signInAs(app, 'ada'), await signInAs(app, 'grace')]
  await addCalendar(ada, 'ada')
  await addCalendar(grace, 'grace')
  const before = countRequests('grace')
  const deletion = await app.tableOwner.connect()
  onTestFinished(() => deletion.release(true)) // closes the connection, which rolls the deletion back
  await deletion.query('begin')
  await deletion.query(`select set_config('app.owner', $1, true)`, [ada.id])
  await deletion.query('select app.delete_account()')
  clock.pass(16 * 60)
  await app.runSchedule('other calendars', clock.now())
  await expect.poll(() => countRequests('grace')).toBe(before + 1)
})

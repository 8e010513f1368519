// What visitors see of a link that has no free times on the chosen day.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { measureCpuMs } from '#server/testing/cpu.ts'
import { contentPages } from '#server/testing/pages.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'
import { addLink, createVisitClock, createVisitor, createVisits, everyDay } from '#server/testing/visits.ts'

const clock = createVisitClock()
let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp({ now: clock.now, pages: contentPages })
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})

const onDates = (...dates: string[]) => ({
  weekly: [],
  days_off: [],
  dates: dates.map((date) => ({ date, hours: [{ from: '09:00', to: '10:00' }] })),
})

/** Returns what the page and the times of the API say about a day. */
async function readDay(fields: object, date: string): Promise<unknown[]> {
  const visitor = createVisitor(app, ada, await addLink(ada, fields))
  const { choice } = (await visitor.page(`?date=${date}`)).content
  const times = (await visitor.times({ from: date })).json()
  expect([times.other_day, times.is_full]).toEqual([choice.other_day, choice.is_full])
  return [choice.other_day?.date ?? null, choice.is_full]
}

test('a day without times names the next day with times, or otherwise the last one before', async () => {
  const first = onDates('2026-11-25')
  expect(await readDay({ availability: first }, '2026-12-20')).toEqual(['2026-11-25', false])
  expect(await readDay({ availability: first }, '2027-01-23')).toEqual(['2026-11-25', false]) // the last day that can be chosen
  expect(await readDay({ availability: onDates('2026-11-24', '2026-11-25') }, '2026-12-20')).toEqual(['2026-11-25', false])
  const late = { availability: onDates('2026-11-24', '2027-02-20'), window_days: 100 }
  expect(await readDay(late, '2026-11-26')).toEqual(['2027-02-20', false]) // more than 60 days later
})

test('the last earlier day with times is also found when the earlier days have more times than a response may have', async () => {
  const availability = { ...everyDay('00:00', '24:00'), days_off: [{ from: '2027-01-01', to: '2027-01-31' }] }
  expect(await readDay({ availability, step_minutes: 5, duration_minutes: 15 }, '2027-01-10')).toEqual(['2026-12-31', false])
})

test('a link without any times is full, unless it has more days than are searched', async () => {
  expect(await readDay({ availability: onDates() }, '2026-11-23')).toEqual([null, true])
  expect(await readDay({ availability: onDates() }, '2027-01-10')).toEqual([null, true])
  expect(await readDay({ availability: onDates(), window_days: 3650 }, '2026-11-23')).toEqual([null, false])
  expect(await readDay({ availability: onDates(), window_days: 3650 }, '2030-11-23')).toEqual([null, false])
})

test('the longest visit is not offered if a buffer of it overlaps a buffer of the longest booking before it or of a booking after it', async () => {
  await ada.send({ method: 'PATCH', url: '/api/profile', payload: { timezone: 'Asia/Kathmandu' } })
  const rules = { availability: everyDay('00:00', '24:00'), buffer_before_minutes: 24 * 60, buffer_after_minutes: 24 * 60 }
  const { book, bookings } = createVisits(app, clock, ada, await addLink(ada, rules))
  const { response } = await book({ start_time: '2026-11-23T18:45:00Z' })
  await bookings.edit(response.json().id, { end_time: '2026-11-30T18:45:00Z' })
  expect((await book({ start_time: '2026-12-12T17:45:00Z' })).response.statusCode).toBe(201)
  // each visit begins at midnight in Kathmandu (18:15 UTC), which is 23:45 in Kolkata
  const visitor = createVisitor(app, ada, await addLink(ada, { ...rules, duration_minutes: 24 * 60 }))
  const countTimes = async (timezone: string, from: string): Promise<number> =>
    (await visitor.times({ timezone, from, days: '1' })).json().days.length
  expect([await countTimes('Asia/Kathmandu', '2026-12-03'), await countTimes('Asia/Kathmandu', '2026-12-04')]).toEqual([0, 1])
  expect([await countTimes('Asia/Kolkata', '2026-12-08'), await countTimes('Asia/Kolkata', '2026-12-09')]).toEqual([1, 0])
})

test('the search of other days takes little time', async () => {
  const link = await addLink(ada, { availability: everyDay('00:00', '24:00'), step_minutes: 5, duration_minutes: 15, window_days: 3650 })
  const bookings = recordsOf(ada, '/api/bookings')
  for (let week = 0; week < 80; week++) {
    const start = Date.parse('2026-11-22T00:00:00Z') + week * 7 * 86_400_000
    const [start_time, end_time] = [start, start + 7 * 86_400_000].map((each) => new Date(each).toISOString())
    await bookings.add({ title: 'Away', start_time, end_time, timezone: 'UTC', attendee_name: 'Ada', attendee_email: '' })
  }
  const visitor = createVisitor(app, ada, link)
  const readTwenty = async () => {
    for (let count = 0; count < 20; count++) await visitor.times({ from: '2027-04-01' })
  }
  // only 90 days before and after are searched, and the bookings fill 80 weeks
  expect((await visitor.times({ from: '2027-04-01' })).json()).toMatchObject({ days: [], other_day: null })
  expect(await measureCpuMs(readTwenty)).toBeLessThan(4000)
})

// A link with short steps offers very many times.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxOfferedTimes, type TimesResponse } from '#contract/publicBookings.ts'
import { addDays } from '#server/platform/time/local-time.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { measureCpuMs } from '#server/testing/cpu.ts'
import { signInAs } from '#server/testing/people.ts'
import { addLink, createVisitClock, createVisitor, everyDay } from '#server/testing/visits.ts'

const clock = createVisitClock()
let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ now: clock.now })
})
afterAll(() => app.stop())

test('a response with very many times ends early, and further requests get each following day completely', async () => {
  const ada = await signInAs(app, 'ada')
  const rules = { availability: everyDay('00:00', '24:00'), step_minutes: 5, duration_minutes: 15, window_days: 60 }
  const visitor = createVisitor(app, ada, await addLink(ada, rules))
  const counts = new Map<string, number>()
  let from: string | undefined
  for (;;) {
    const query = { timezone: 'Asia/Kathmandu', ...(from !== undefined && { from }) }
    const { days, last_day: lastDay, complete_to: completeTo }: TimesResponse = (await visitor.times(query)).json()
    // a response ends with the day that reaches the maximum, and a day has at most 288 times, one for each 5 minutes
    expect(days.flatMap(({ times }) => times).length).toBeLessThan(maxOfferedTimes + 288)
    for (const { date, times } of days) counts.set(date, (counts.get(date) ?? 0) + times.length)
    from = addDays(completeTo, 1)
    if (completeTo >= lastDay) break
  }
  // 286 of 288 starts: each day in Kathmandu has one midnight of the owner, and the two starts before it would end after it
  const wholeDays = Array.from({ length: 60 }, (_each, index) => addDays('2026-11-24', index))
  expect(wholeDays.map((date) => [date, counts.get(date)])).toEqual(wholeDays.map((date) => [date, 286]))
  expect([...counts.keys()].toSorted()).toEqual(['2026-11-23', ...wholeDays, '2027-01-23'])
  const readTwenty = async () => {
    for (let count = 0; count < 20; count++) await visitor.times()
  }
  expect(await measureCpuMs(readTwenty)).toBeLessThan(2000)
})

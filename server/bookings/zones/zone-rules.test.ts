import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BookingLink } from '#contract/bookingLinks.ts'
import type { TimesResponse } from '#contract/publicBookings.ts'
import { loadZones } from '#server/platform/time/local-time.ts'
import { packedZones } from '#server/platform/time/zones.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { addLink, createVisitClock, createVisitor, createVisits, everyDay } from '#server/testing/visits.ts'

const clock = createVisitClock()
/** The rules of Vancouver before it stopped changing its clocks. */
const oldRules = packedZones.find((zone) => zone.startsWith('America/Los_Angeles|'))?.replace('Los_Angeles', 'Vancouver') ?? ''

let app: TestApp
let ada: Person
let link: BookingLink
let visits: ReturnType<typeof createVisits>
beforeAll(async () => {
  app = await openTestApp({ now: clock.now })
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  link = await addLink(ada, { availability: everyDay('09:00', '17:00') })
  visits = createVisits(app, clock, ada, link)
})

test('after new zone rules bookings keep their instant, offered times move, and the owner sees the new clock times', async () => {
  await app.tableOwner.query(`update profiles set timezone = 'America/Vancouver' where user_id = $1`, [ada.id])
  const readFirst = async () => {
    const query = { timezone: 'America/Vancouver', from: '2026-12-02', days: '1' }
    const { days }: TimesResponse = (await createVisitor(app, ada, link).times(query)).json()
    return days[0]?.times[0]
  }
  const grace = await signInAs(app, 'grace')
  const readChanges = async (person = ada) => (await person.send({ url: '/api/bookings/zone-changes' })).json()
  const changeRules = async (zones: readonly string[]) => {
    loadZones(zones)
    await app.runSchedule('zone rules', clock.now())
  }
  try {
    await changeRules([oldRules])
    expect(await readFirst()).toEqual({ start_time: '2026-12-02T17:00:00.000Z', label: '09:00 to 09:30' })
    const time = { start_time: '2026-12-01T17:00:00Z', timezone: 'America/Vancouver' }
    const { id } = await visits.bookWithLinks(time)
    const moved = await visits.bookWithLinks({ start_time: '2026-12-01T18:00:00Z', timezone: 'Europe/London' })
    const cancelledTimes = { start_time: '2026-11-23T18:00:00Z', end_time: '2026-11-23T18:30:00Z' }
    await visits.bookings.add({ title: 'Cancelled', ...cancelledTimes, status: 'cancelled' })
    expect(await readChanges()).toEqual({ rows: [], count: 0 })
    await changeRules(packedZones)
    expect(await visits.bookings.get(id)).toMatchObject({ start_time: time.start_time })
    expect(await readFirst()).toEqual({ start_time: '2026-12-02T16:00:00.000Z', label: '09:00 to 09:30' })
    const change = {
      booking_id: id,
      title: 'Engine visit',
      timezone: 'America/Vancouver',
      before: 'Tuesday, 1 December 2026, 09:00',
      after: 'Tuesday, 1 December 2026, 10:00',
    }
    expect(await readChanges()).toMatchObject({
      rows: [change, { booking_id: moved.id, before: expect.stringMatching(/, 10:00$/) }],
      count: 2,
    })
    expect(await readChanges(grace)).toEqual({ rows: [], count: 0 })
    await visits.bookings.edit(moved.id, { start_time: '2026-12-01T19:00:00Z', end_time: '2026-12-01T19:30:00Z' })
    expect(await readChanges()).toMatchObject({ rows: [change], count: 1 })
    await changeRules([oldRules])
    expect((await readChanges()).count).toBe(1) // the booking that was moved while the new rules applied
    await changeRules(packedZones)
    expect((await readChanges()).rows[0]).toMatchObject(change)
    expect((await ada.send({ method: 'POST', url: '/api/bookings/zone-changes/dismiss' })).statusCode).toBe(204)
    expect(await readChanges()).toEqual({ rows: [], count: 0 })
    await app.runSchedule('zone rules', clock.now())
    expect(await readChanges()).toEqual({ rows: [], count: 0 })
  } finally {
    loadZones(packedZones)
  }
})

test('a slow run does not overwrite the rules of the next run', async () => {
  const readRules = async () =>
    (await app.tableOwner.query(`select offsets from app.zone_rules where timezone = 'America/Vancouver'`)).rows[0].offsets
  const run = () => app.runSchedule('zone rules', clock.now())
  const blocker = new pg.Client(app.connections.tableOwner)
  await blocker.connect()
  try {
    loadZones([oldRules])
    await run()
    const stored = await readRules()
    await blocker.query('begin; lock table app.zone_rules in share mode')
    loadZones(packedZones)
    const slow = run()
    const waiting = `select count(*)::int as count from pg_locks where relation = 'app.zone_rules'::regclass and not granted`
    const countWaiting = async (): Promise<number> => (await blocker.query(waiting)).rows[0].count
    await expect.poll(countWaiting).toBeGreaterThan(0)
    loadZones([oldRules])
    let isNextDone = false
    const next = run().then(() => (isNextDone = true))
    await expect.poll(async () => isNextDone || (await countWaiting()) > 1).toBe(true)
    await blocker.query('rollback')
    await Promise.all([slow, next])
    expect(await readRules()).toEqual(stored)
  } finally {
    await blocker.end()
    loadZones(packedZones)
  }
})

test.each([
  ['the old rules', [oldRules], [1, 1]],
  ['the new rules', packedZones, [0, 1]],
])(
  'the dashboard counts a booking as today if it begins before midnight by %s, whatever rules PostgreSQL has',
  async (_name, rules, counts) => {
    await app.tableOwner.query(`update profiles set timezone = 'America/Vancouver' where user_id = $1`, [ada.id])
    // 23:15 of 23 November by the old rules, and 00:15 of 24 November by the new rules; today is 23 November
    await visits.bookings.add({ title: 'At midnight', start_time: '2026-11-24T07:15:00Z', end_time: '2026-11-24T07:45:00Z' })
    loadZones(rules)
    try {
      const { bookings } = (await ada.send({ url: '/api/dashboard' })).json()
      expect([bookings.today, bookings.upcoming]).toEqual(counts)
    } finally {
      loadZones(packedZones)
    }
  },
)

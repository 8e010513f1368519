import { describe, expect, test } from 'vitest'
import { toLocalTime } from '#server/platform/time/local-time.ts'
import { computeSlots, findNearest, isOfferedWhenFree, type LinkRules, type SlotRequest } from './slots.ts'

const everyDay = (from: string, to: string): NonNullable<LinkRules['availability']> => ({
  weekly: [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, from, to })),
  days_off: [],
  dates: [],
})
const rules: LinkRules = {
  duration_minutes: 30,
  step_minutes: 30,
  notice_minutes: 0,
  buffer_before_minutes: 0,
  buffer_after_minutes: 0,
  window_days: 3650,
  max_per_day: null,
  availability: everyDay('09:00', '17:00'),
}
const base: SlotRequest = {
  rules,
  ownerZone: 'UTC',
  visitorZone: 'UTC',
  from: '2027-01-04',
  to: '2027-01-04',
  now: new Date('2026-11-23T12:00:00Z'),
  busy: [],
}
type Changes = Partial<Omit<SlotRequest, 'rules'>> & { rules?: Partial<LinkRules> }
const slots = ({ rules: changedRules, ...changes }: Changes = {}) =>
  computeSlots({ ...base, ...changes, rules: { ...rules, ...changedRules } })
const startsOf = (changes?: Changes): number[] => slots(changes).flatMap(({ starts }) => starts)
const iso = (instant: number): string => new Date(instant).toISOString().slice(0, 16)
const labels = (zone: string, changes: Changes): string[] =>
  startsOf({ ownerZone: zone, visitorZone: zone, ...changes }).map((start) => toLocalTime(zone, start).time)
const onDay = (date: string) => ({ from: date, to: date })
const busyAt = (from: string, to: string) => ({ startMs: Date.parse(`2027-01-04T${from}Z`), endMs: Date.parse(`2027-01-04T${to}Z`) })

const halfHours = Array.from(
  { length: 16 },
  (_each, index) => `${String(9 + Math.floor(index / 2)).padStart(2, '0')}:${index % 2 ? '30' : '00'}`,
)

describe('on days on which the clocks change', () => {
  test.each([
    ['America/New_York', '2027-03-14', '2027-03-14T13:00'],
    ['America/New_York', '2027-11-07', '2027-11-07T14:00'],
    ['Europe/Berlin', '2027-03-28', '2027-03-28T07:00'],
    ['Europe/Berlin', '2027-10-31', '2027-10-31T08:00'],
  ])('%s has the usual 16 times on %s', (zone, date, first) => {
    expect(labels(zone, onDay(date))).toEqual(halfHours)
    expect(startsOf({ ownerZone: zone, visitorZone: zone, ...onDay(date) }).map(iso)[0]).toBe(first)
  })

  test('times that the clocks skip are not offered', () => {
    const changes = { ...onDay('2027-03-14'), rules: { availability: everyDay('01:00', '04:00') } }
    expect(labels('America/New_York', changes)).toEqual(['01:00', '01:30', '03:00', '03:30'])
  })

  test('times that the clocks show twice are offered once, the first time', () => {
    const changes = { ...onDay('2027-11-07'), rules: { availability: everyDay('01:00', '04:00') } }
    const starts = startsOf({ ownerZone: 'America/New_York', visitorZone: 'America/New_York', ...changes })
    expect(starts.map(iso)).toEqual(['05:00', '05:30', '07:00', '07:30', '08:00', '08:30'].map((time) => `2027-11-07T${time}`))
  })

  test('the notice counts elapsed hours, not the hours that clocks show', () => {
    const now = new Date('2027-03-14T05:00:00Z') // midnight in New York, two hours before the clocks are set forward
    const changes = { now, ownerZone: 'America/New_York', visitorZone: 'America/New_York', ...onDay('2027-03-14') }
    expect(startsOf({ ...changes, rules: { notice_minutes: 10 * 60 } }).map(iso)[0]).toBe('2027-03-14T15:00')
  })

  test('the buffer before a time can begin before the change of the clocks', () => {
    const availability = everyDay('01:00', '05:00')
    const busy = [{ startMs: Date.parse('2027-03-14T06:00Z'), endMs: Date.parse('2027-03-14T07:00Z') }] // from 01:00 to 03:00 in New York
    const changes = { ...onDay('2027-03-14'), busy, rules: { availability, buffer_before_minutes: 30 } }
    // 03:00 is missing, because the half hour before it is the busy one from 01:30
    expect(labels('America/New_York', changes)).toEqual(['03:30', '04:00', '04:30'])
  })
})

test('a visitor beyond the date line sees the owner’s morning on the day before', () => {
  const changes = { ownerZone: 'Pacific/Kiritimati', visitorZone: 'Pacific/Pago_Pago' }
  const [day] = slots({ ...changes, ...onDay('2027-01-14') })
  expect(day?.starts.map((start) => toLocalTime('Pacific/Pago_Pago', start).time)[0]).toBe('08:00')
  expect(iso(day?.starts[0] ?? 0)).toBe('2027-01-14T19:00')
  const ofToday = slots({ ...changes, now: new Date('2027-01-14T19:30:00Z'), ...onDay('2027-01-14') })
  expect(iso(ofToday[0]?.starts[0] ?? 0)).toBe('2027-01-14T19:30')
})

test.each([
  ['Pacific/Pago_Pago', 'Pacific/Kiritimati'],
  ['Pacific/Kiritimati', 'Pacific/Pago_Pago'],
])('an owner in %s offers all times of a day to a visitor in %s, 25 hours away', (ownerZone, visitorZone) => {
  expect(startsOf({ ownerZone, visitorZone, rules: { availability: everyDay('00:00', '24:00') } })).toHaveLength(48)
})

test('without hours, each half hour from 09:00 to 16:30 in the visitor’s zone is offered, whatever the duration', () => {
  const changes = { visitorZone: 'Asia/Kathmandu', ownerZone: 'America/Vancouver', rules: { availability: null, duration_minutes: 90 } }
  expect(startsOf(changes).map((start) => toLocalTime('Asia/Kathmandu', start).time)).toEqual(halfHours)
})

test('breaks, days off and the hours of single days are respected', () => {
  const availability = {
    weekly: [
      { weekday: 1, from: '09:00', to: '10:30' },
      { weekday: 1, from: '10:00', to: '11:00' },
      { weekday: 1, from: '14:00', to: '15:00' },
    ],
    days_off: [{ from: '2027-01-10', to: '2027-01-20' }],
    dates: [
      { date: '2027-01-18', hours: [{ from: '08:00', to: '08:30' }] }, // has precedence over the days off
      { date: '2027-01-25', hours: [] },
    ],
  }
  const times = slots({ from: '2027-01-01', to: '2027-02-01', rules: { availability } }).map(({ date, starts }) => [
    date,
    starts.map((start) => iso(start).slice(11)).join(' '),
  ])
  const usual = '09:00 09:30 10:00 10:30 14:00 14:30'
  expect(times).toEqual([
    ['2027-01-04', usual],
    ['2027-01-18', '08:00'],
    ['2027-02-01', usual],
  ])
})

test('hours that overlap are joined, so that they offer no times between the steps', () => {
  const hours = Array.from({ length: 10 }, (_each, index) => ({ from: `09:0${index}`, to: index === 4 ? '11:00' : '10:30' }))
  const availability = { weekly: [], days_off: [], dates: [{ date: '2027-01-04', hours }] }
  expect(labels('UTC', { rules: { availability } })).toEqual(['09:00', '09:30', '10:00', '10:30'])
})

test('a time must end within the hours, and the end of the day is 24:00', () => {
  const changes = { rules: { availability: everyDay('22:00', '24:00'), duration_minutes: 60 } }
  expect(labels('UTC', changes)).toEqual(['22:00', '22:30', '23:00'])
})

test('times after the last day of the window and past times are not offered', () => {
  const now = new Date('2027-01-04T12:10:00Z')
  const days = slots({ now, from: '2027-01-01', to: '2027-02-01', rules: { window_days: 2 } })
  expect(days.map(({ date, starts }) => [date, starts.length])).toEqual([
    ['2027-01-04', 9],
    ['2027-01-05', 16],
    ['2027-01-06', 16],
  ])
})

test('times are not offered if they or their buffers overlap a busy time', () => {
  const busy = [busyAt('10:00', '10:30'), busyAt('09:00', '12:00'), busyAt('14:00', '14:10')]
  expect(labels('UTC', { busy, rules: { availability: everyDay('09:00', '15:00') } })).toEqual([
    '12:00',
    '12:30',
    '13:00',
    '13:30',
    '14:30',
  ])
  const buffered = { buffer_before_minutes: 10, buffer_after_minutes: 15, availability: everyDay('09:00', '15:00') }
  expect(labels('UTC', { busy, rules: buffered })).toEqual(['12:30', '13:00', '14:30'])
})

test('a busy time until midnight blocks the times of the next morning whose buffer before overlaps it', () => {
  const busy = [{ startMs: Date.parse('2027-01-03T23:00Z'), endMs: Date.parse('2027-01-04T00:00Z') }]
  const changes = { busy, rules: { availability: everyDay('00:00', '01:30'), buffer_before_minutes: 45 } }
  expect(labels('UTC', changes)).toEqual(['01:00'])
})

test('a day with as many bookings as the link allows has no further times', () => {
  const busy = [
    { ...busyAt('09:00', '09:30'), dayOfLink: '2027-01-04' },
    { ...busyAt('10:00', '10:30'), dayOfLink: '2027-01-04' },
  ]
  expect(startsOf({ busy, rules: { max_per_day: 2 } })).toEqual([])
  expect(startsOf({ busy, rules: { max_per_day: 3 } })).toHaveLength(14)
})

test('the nearest free times are before and after the start, in ascending order', () => {
  const days = slots({ busy: [busyAt('12:00', '12:30')] })
  // 11:00 and 13:00 are equally near, and the earlier one is returned
  expect(findNearest(days, Date.parse('2027-01-04T12:00Z'), 3).map(iso)).toEqual(
    ['11:00', '11:30', '12:30'].map((time) => `2027-01-04T${time}`),
  )
})

test.each([
  ['2027-01-04T09:00Z', true],
  ['2027-01-04T09:17Z', false], // between the steps
  ['2027-01-04T08:30Z', false], // before the hours
  ['2020-01-06T09:00Z', false], // in the past
  ['2040-01-04T09:00Z', false], // after the window of ten years
])('%s is offered: %s', (time, isOffered) => {
  expect(isOfferedWhenFree(base, Date.parse(time))).toBe(isOffered)
})

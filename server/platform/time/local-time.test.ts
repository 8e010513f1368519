import { expect, test, vi } from 'vitest'
import { checkZoneData, warnAboutZoneData } from './check-data.ts'
import { addDays, formatDate, formatOffset, formatZone, toFirstInstant, toInstants, toLocalTime, weekdayOf } from './local-time.ts'
import { canonicalZones, isTimezone } from './zones.ts'

const iso = (instant: number): string => new Date(instant).toISOString().replace(':00.000Z', 'Z')
const isoOf = (timezone: string, date: string, hours: number): string[] => toInstants(timezone, date, hours * 60).map(iso)

test.each([
  // the rules of these five zones have changed in 2026
  ['America/Vancouver', '2026-12-01', '2026-12-01T16:00Z'],
  ['America/Edmonton', '2026-12-01', '2026-12-01T15:00Z'],
  ['America/Winnipeg', '2026-12-01', '2026-12-01T14:00Z'],
  ['America/Havana', '2026-12-01', '2026-12-01T13:00Z'],
  ['Africa/Casablanca', '2026-12-01', '2026-12-01T09:00Z'],
  ['America/New_York', '2027-03-13', '2027-03-13T14:00Z'],
  ['America/New_York', '2027-03-14', '2027-03-14T13:00Z'],
  ['America/New_York', '2027-11-06', '2027-11-06T13:00Z'],
  ['America/New_York', '2027-11-07', '2027-11-07T14:00Z'],
  ['Europe/Berlin', '2027-03-27', '2027-03-27T08:00Z'],
  ['Europe/Berlin', '2027-03-28', '2027-03-28T07:00Z'],
  ['Europe/Berlin', '2027-10-30', '2027-10-30T07:00Z'],
  ['Europe/Berlin', '2027-10-31', '2027-10-31T08:00Z'],
  ['Australia/Lord_Howe', '2027-04-03', '2027-04-02T22:00Z'],
  ['Australia/Lord_Howe', '2027-04-04', '2027-04-03T22:30Z'],
  ['Asia/Kathmandu', '2027-01-15', '2027-01-15T03:15Z'],
  ['Pacific/Chatham', '2027-01-15', '2027-01-14T19:15Z'],
  ['US/Pacific', '2027-01-15', '2027-01-15T17:00Z'],
])('09:00 in %s on %s is %s', (timezone, date, instant) => {
  expect(isoOf(timezone, date, 9)).toEqual([instant])
  expect(toLocalTime(timezone, Date.parse(instant))).toMatchObject({ date, time: '09:00' })
})

test('a time that clocks skip has no instant, and a time that they show twice has two', () => {
  expect(isoOf('America/New_York', '2027-03-14', 2.5)).toEqual([])
  expect(iso(toFirstInstant('America/New_York', '2027-03-14', 150))).toBe('2027-03-14T07:00Z') // the change that skips 02:30
  expect(isoOf('America/New_York', '2027-11-07', 1.5)).toEqual(['2027-11-07T05:30Z', '2027-11-07T06:30Z'])
  expect(isoOf('Australia/Lord_Howe', '2027-04-04', 1.75)).toEqual(['2027-04-03T14:45Z', '2027-04-03T15:15Z'])
  expect(iso(toFirstInstant('Europe/Berlin', '2027-03-28', 24 * 60))).toBe('2027-03-28T22:00Z') // the end of a day with 23 hours
})

test('zones and dates are shown with their names', () => {
  expect(formatZone('America/New_York', Date.parse('2027-11-07T05:30Z'))).toBe('EDT (UTC-4)')
  expect(formatZone('America/New_York', Date.parse('2027-11-07T06:30Z'))).toBe('EST (UTC-5)')
  expect(formatZone('Asia/Kathmandu', 0)).toBe('UTC+5:30') // until 1985; UTC+5:45 since then
  expect([formatZone('UTC', 0), formatOffset(345), formatOffset(-210)]).toEqual(['UTC', 'UTC+5:45', 'UTC-3:30'])
  expect(formatDate('2026-11-30')).toBe('Monday, 30 November 2026')
  expect([addDays('2026-12-31', 1), addDays('2027-03-01', -1), weekdayOf('2026-11-29')]).toEqual(['2027-01-01', '2027-02-28', 0])
})

test('aliases are known, and other names are not', () => {
  for (const name of ['US/Pacific', 'Asia/Calcutta', 'Europe/Kiev', 'UTC']) expect(isTimezone(name)).toBe(true)
  for (const name of ['', 'Europe/Nowhere', 'europe/london', '__proto__', 'constructor', '../etc', 'UTC\0'])
    expect(isTimezone(name)).toBe(false)
})

const days = Array.from({ length: 365 }, (_, index) => addDays('2027-01-01', index))

test('in every zone on every day of 2027, an instant is shown as the time from which it was computed, unless clocks skip this time', () => {
  const wrong: string[] = []
  let skipped = 0
  for (const timezone of canonicalZones)
    for (const [index, date] of days.entries()) {
      const minutes = (index * 37) % (24 * 60) // another time on each day
      const instants = toInstants(timezone, date, minutes)
      const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
      if (instants.length === 0) skipped++
      for (const instant of instants) {
        const local = toLocalTime(timezone, instant)
        if (local.date !== date || local.time !== time) wrong.push(`${timezone} ${date} ${time}`)
      }
      if (instants.length > 1 && Number(instants[0]) >= Number(instants[1])) wrong.push(`${timezone} ${date}`)
    }
  expect(wrong).toEqual([])
  expect(skipped).toBeLessThan(canonicalZones.length) // a zone skips at most an hour once a year
})

const now = new Date('2026-11-23T12:00:00Z')

test('the comparison of our data with that of this machine finds nothing if the data of the machine is older', () => {
  expect(checkZoneData(now, '2025c')).toBeUndefined()
})

test('the comparison of our data with that of this machine names the zones that differ if the data of the machine is newer', () => {
  const warning = checkZoneData(now, '2099a')
  expect(warning?.zones ?? []).not.toContain('Europe/London')
  for (const timezone of warning?.zones ?? []) expect(isTimezone(timezone)).toBe(true)
  const warn = vi.fn<(details: object, text: string) => void>()
  warnAboutZoneData({ warn }, now, '2099a')
  expect(warn.mock.calls).toEqual(warning ? [[warning, expect.stringContaining('newer version of Foyer')]] : [])
})

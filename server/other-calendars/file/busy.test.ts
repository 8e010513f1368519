// The busy times in files of other calendars: repetitions, exceptions, whole days, time zones, and files that are not valid.
import { expect, test } from 'vitest'
import { toCalendar, toEvent } from '#server/testing/calendar-server.ts'
import { findBusyTimes, type FileRequest } from './busy.ts'

const newYork = `BEGIN:VTIMEZONE|TZID:Eastern|BEGIN:DAYLIGHT|TZOFFSETFROM:-0500|TZOFFSETTO:-0400|DTSTART:20070311T020000|RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU|END:DAYLIGHT|BEGIN:STANDARD|TZOFFSETFROM:-0400|TZOFFSETTO:-0500|DTSTART:20071104T020000|RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU|END:STANDARD|END:VTIMEZONE`

const march = { fromMs: Date.parse('2027-03-01T00:00:00Z'), toMs: Date.parse('2027-04-01T00:00:00Z') }

/** Returns the busy times as `day hour:minute to hour:minute` in UTC, in March 2027, for an owner in London. */
function read(file: string, options: Partial<FileRequest> = {}) {
  const request = {
    bytes: Buffer.from(file),
    timezone: 'Europe/London',
    hostname: 'foyer.test',
    ...march,
    ...options,
  }
  const result = findBusyTimes(request)
  return 'problem' in result ? result.problem : format(result.times)
}
const format = (times: Float64Array): string[] => {
  const texts = Array.from(times, (ms) => new Date(ms).toISOString().slice(8, 16).replace('T', ' '))
  return Array.from({ length: texts.length / 2 }, (_, index) => `${texts[2 * index]} to ${texts[2 * index + 1]}`)
}
const readEvents = (...events: string[]) => read(toCalendar(...events.map(toEvent)))

test.each<[string, string[], string[]]>([
  ['an event in UTC', ['DTSTART:20270301T090000Z|DTEND:20270301T100000Z'], ['01 09:00 to 01 10:00']],
  ['an event with a duration', ['DTSTART:20270301T090000Z|DURATION:PT90M'], ['01 09:00 to 01 10:30']],
  ['an event without an end', ['DTSTART:20270301T090000Z'], []],
  ['an event that ends before its start', ['DTSTART:20270301T090000Z|DTEND:20270301T080000Z'], []],
  ['a time without a zone, in summer time', ['DTSTART:20270329T090000|DTEND:20270329T100000'], ['29 08:00 to 29 09:00']],
  ['a known zone that is not defined', ['DTSTART;TZID=Asia/Tokyo:20270301T090000|DURATION:PT1H'], ['01 00:00 to 01 01:00']],
  ['an unknown zone', ['DTSTART;TZID=Mars:20270301T090000|DURATION:PT1H'], ['01 09:00 to 01 10:00']],
  ['a whole day', ['DTSTART;VALUE=DATE:20270305'], ['05 00:00 to 06 00:00']],
  ['whole days over the change of clocks', ['DTSTART;VALUE=DATE:20270327|DTEND;VALUE=DATE:20270330'], ['27 00:00 to 29 23:00']],
  ['an event that began before the range', ['DTSTART:20270220T090000Z|DTEND:20270302T100000Z'], ['01 00:00 to 02 10:00']],
  [
    'events that overlap or touch',
    [
      'UID:1|DTSTART:20270301T090000Z|DURATION:PT1H',
      'UID:2|DTSTART:20270301T100000Z|DURATION:PT1H',
      'UID:3|DTSTART:20270301T093000Z|DURATION:PT15M',
    ],
    ['01 09:00 to 01 11:00'],
  ],
  ['a free event', ['DTSTART:20270301T090000Z|DURATION:PT1H|TRANSP:TRANSPARENT'], []],
  ['an event that Outlook shows as free', ['DTSTART:20270301T090000Z|DURATION:PT1H|X-MICROSOFT-CDO-BUSYSTATUS:FREE'], []],
  ['a cancelled event', ['DTSTART:20270301T090000Z|DURATION:PT1H|STATUS:CANCELLED'], []],
  ['a tentative event', ['DTSTART:20270301T090000Z|DURATION:PT1H|STATUS:TENTATIVE'], ['01 09:00 to 01 10:00']],
  ['a booking of this server', ['UID:01930000-0000-7000-8000-0000000000c1@foyer.test|DTSTART:20270301T090000Z|DURATION:PT1H'], []],
  [
    'a booking of another server',
    ['UID:01930000-0000-7000-8000-0000000000c1@other.test|DTSTART:20270301T090000Z|DURATION:PT1H'],
    ['01 09:00 to 01 10:00'],
  ],
  [
    'a weekly event without an end that began years ago',
    ['DTSTART:20150106T090000Z|DURATION:PT1H|RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU'],
    ['02 09:00 to 02 10:00', '16 09:00 to 16 10:00', '30 09:00 to 30 10:00'],
  ],
  [
    'a daily event with a last day',
    ['DTSTART:20200101T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;UNTIL=20270302T235959Z'],
    ['01 09:00 to 01 10:00', '02 09:00 to 02 10:00'],
  ],
  [
    'daily events whose last time is in UTC',
    [
      'UID:1|DTSTART;TZID=Asia/Tokyo:20270301T090000|DURATION:PT1H|RRULE:FREQ=DAILY;UNTIL=20270302T000000Z',
      'UID:2|DTSTART:20270329T090000|DURATION:PT1H|RRULE:FREQ=DAILY;UNTIL=20270330T080030Z',
      'UID:3|DTSTART;TZID=America/New_York:20270310T090000|DURATION:PT1H|RRULE:FREQ=DAILY;UNTIL=20270311T135959Z',
      'UID:4|DTSTART;TZID=Asia/Tokyo:20270331T210000|DURATION:PT1H|RRULE:FREQ=DAILY;UNTIL=99991231T235959Z',
      'UID:5|DTSTART:20270329T150000Z|DURATION:PT1H|RRULE:FREQ=DAILY;UNTIL=20270330T145959Z',
    ],
    [
      ['01 00:00 to 01 01:00', '02 00:00 to 02 01:00', '10 14:00 to 10 15:00', '29 08:00 to 29 09:00', '29 15:00 to 29 16:00'],
      ['30 08:00 to 30 09:00', '31 12:00 to 31 13:00'],
    ].flat(),
  ],
  [
    'a number of repetitions',
    ['DTSTART:20270227T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=4'],
    ['01 09:00 to 01 10:00', '02 09:00 to 02 10:00'],
  ],
  [
    'months in the order of a school year',
    ['DTSTART:20260907T090000Z|DURATION:PT1H|RRULE:FREQ=MONTHLY;BYMONTH=9,10,11,12,1,2,3;BYDAY=1MO'],
    ['01 09:00 to 01 10:00'],
  ],
  ['the last Friday of the month', ['DTSTART:20260130T090000Z|DURATION:PT1H|RRULE:FREQ=MONTHLY;BYDAY=-1FR'], ['26 09:00 to 26 10:00']],
  [
    'a monthly event without an end that began years ago',
    ['DTSTART:20050317T090000Z|DURATION:PT1H|RRULE:FREQ=MONTHLY;INTERVAL=2'],
    ['17 09:00 to 17 10:00'],
  ],
  ['a monthly event of the other months', ['DTSTART:20050217T090000Z|DURATION:PT1H|RRULE:FREQ=MONTHLY;INTERVAL=2'], []],
  ['a yearly whole day', ['DTSTART;VALUE=DATE:19800314|RRULE:FREQ=YEARLY'], ['14 00:00 to 15 00:00']],
  [
    'additional dates',
    ['DTSTART:20270301T090000Z|DURATION:PT1H|RDATE:20270303T090000Z,20270304T100000Z'],
    ['01 09:00 to 01 10:00', '03 09:00 to 03 10:00', '04 10:00 to 04 11:00'],
  ],
  [
    'additional periods with their own ends, of which one is excluded',
    [
      'DTSTART:20270301T090000Z|DURATION:PT1H|RDATE:20270306T090000Z|RDATE;VALUE=PERIOD:20270305T090000Z/20270305T120000Z,20270303T090000Z/PT2H|RDATE;VALUE=PERIOD;TZID=Asia/Tokyo:20270304T090000/PT30M,20270307T090000/PT30M|EXDATE;TZID=Asia/Tokyo:20270307T090000',
    ],
    ['01 09:00 to 01 10:00', '03 09:00 to 03 11:00', '04 00:00 to 04 00:30', '05 09:00 to 05 12:00', '06 09:00 to 06 10:00'],
  ],
  [
    'an event with one additional period',
    ['DTSTART:20270301T090000Z|DURATION:PT1H|RDATE;VALUE=PERIOD:20270303T090000Z/PT2H'],
    ['01 09:00 to 01 10:00', '03 09:00 to 03 11:00'],
  ],
  [
    'excluded times, also ones that are no repetition',
    [
      'DTSTART:20270301T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=4|EXDATE:20260101T090000Z,20270301T110000Z|EXDATE:20270302T090000Z,20270303T090000Z',
    ],
    ['01 09:00 to 01 10:00', '04 09:00 to 04 10:00'],
  ],
  [
    'an excluded day',
    ['DTSTART:20270301T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2|EXDATE;VALUE=DATE:20270301'],
    ['02 09:00 to 02 10:00'],
  ],
  [
    'a repetition that was moved',
    [
      'DTSTART:20270301T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2',
      'RECURRENCE-ID:20270302T090000Z|DTSTART:20270305T140000Z|DURATION:PT2H',
    ],
    ['01 09:00 to 01 10:00', '05 14:00 to 05 16:00'],
  ],
  [
    'a repetition that was moved into the range',
    [
      'DTSTART:20270401T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=2',
      'RECURRENCE-ID:20270402T090000Z|DTSTART:20270305T140000Z|DURATION:PT2H',
    ],
    ['05 14:00 to 05 16:00'],
  ],
  [
    'a repetition that was cancelled, and one that is free',
    [
      'DTSTART:20270301T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=3',
      'RECURRENCE-ID:20270302T090000Z|DTSTART:20270302T090000Z|STATUS:CANCELLED',
      'RECURRENCE-ID:20270303T090000Z|DTSTART:20270303T090000Z|DURATION:PT1H|TRANSP:TRANSPARENT',
    ],
    ['01 09:00 to 01 10:00'],
  ],
  [
    'a free event with a busy repetition',
    [
      'DTSTART:20270301T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=3|TRANSP:TRANSPARENT',
      'RECURRENCE-ID:20270302T090000Z|DTSTART:20270302T090000Z|DURATION:PT1H',
    ],
    ['02 09:00 to 02 10:00'],
  ],
  [
    'a change of all following repetitions',
    [
      'DTSTART:20270301T090000Z|DURATION:PT1H|RRULE:FREQ=DAILY;COUNT=3',
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20270302T090000Z|DTSTART:20270302T120000Z|DURATION:PT2H',
    ],
    ['01 09:00 to 01 10:00', '02 12:00 to 02 14:00', '03 12:00 to 03 14:00'],
  ],
  [
    'one moved repetition of an event of somebody else',
    ['RECURRENCE-ID:20270302T090000Z|DTSTART:20270305T140000Z|DURATION:PT2H'],
    ['05 14:00 to 05 16:00'],
  ],
])('the busy times of %s', (_name, events, expected) => {
  expect(readEvents(...events)).toEqual(expected)
})

test('times are converted with the time zones that the file defines, also over a change of the clocks', () => {
  const event = toEvent(
    'DTSTART;TZID=Eastern:20270312T090000|DTEND;TZID=Eastern:20270312T093000|RRULE:FREQ=DAILY;COUNT=4|EXDATE;TZID=Eastern:20270313T090000',
  )
  expect(read(toCalendar(newYork, event))).toEqual(['12 14:00 to 12 14:30', '14 13:00 to 14 13:30', '15 13:00 to 15 13:30'])
  const moved = toEvent('RECURRENCE-ID:20270314T130000Z|DTSTART:20270320T080000Z|DURATION:PT1H')
  expect(read(toCalendar(event, moved, newYork))).toEqual(['12 14:00 to 12 14:30', '15 13:00 to 15 13:30', '20 08:00 to 20 09:00'])
})

test('a file may have several calendars', () => {
  const calendars = [1, 2, 3].map((day) => toCalendar(toEvent(`UID:${day}|DTSTART:2027030${day}T090000Z|DURATION:PT1H`)))
  expect(read(calendars.join(''))).toEqual(['01 09:00 to 01 10:00', '02 09:00 to 02 10:00', '03 09:00 to 03 10:00'])
})

test('lines that are not valid, alarms and tasks do not hide events; an unreadable event is counted, and a web page is no calendar', () => {
  const event =
    'DTSTART:20270301T090000Z|DURATION:PT1H|no colon here|DESCRIPTION:two lines|  folded: BEGIN:VEVENT|BEGIN:VALARM|TRIGGER:-PT5M|DTSTART:20270309T090000Z|END:VALARM|ATTENDEE;CN="a:b;c":mailto:x@y'
  const task = 'BEGIN:VTODO|DTSTART:20270302T090000Z|DURATION:PT1H|END:VTODO'
  const broken = toEvent('UID:2|DTSTART:nonsense|RRULE:FREQ=SOMETIMES')
  expect(read(toCalendar(task, broken, toEvent(event)))).toEqual(['01 09:00 to 01 10:00'])
  expect(read(`\uFEFF${toCalendar(toEvent(event)).replaceAll('\r\n', '\n')}`)).toEqual(['01 09:00 to 01 10:00'])
  const bytes = Buffer.from(toCalendar(broken))
  const unreadable = findBusyTimes({ bytes, timezone: 'UTC', fromMs: 0, toMs: 1, hostname: 'a' })
  expect(unreadable).toMatchObject({ unreadable: 1 })
  expect(read('<!doctype html><html>')).toBe('no_calendar')
  expect(read(toCalendar())).toEqual([])
})

test.each([
  'DTSTART:20270301T100000Z|DURATION:P99999999999D',
  'DTSTART:20270301T100000Z|DURATION:-P99999999999D',
  'DTSTART:20270301T100000Z|DTEND:99991231T100000Z',
  'DTSTART:20270301T100000Z|DURATION:PT1H|RDATE;VALUE=PERIOD:20270303T100000Z/P99999999999D',
  'DTSTART:20000101T000000Z|DURATION:PT1S|RRULE:FREQ=SECONDLY',
  'DTSTART:20270301T000000Z|DURATION:PT1S|RRULE:FREQ=SECONDLY',
  'DTSTART:20000101T000000Z|DURATION:PT1S|RRULE:FREQ=MINUTELY;BYMONTH=3',
  'DTSTART:20270301T000000Z|DURATION:PT1H|RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
  'DTSTART:20270301T000000Z|DURATION:PT1H|RRULE:FREQ=DAILY;INTERVAL=99999999999',
  'DTSTART:20250303T000000Z|DURATION:PT1H|RRULE:FREQ=YEARLY;BYWEEKNO=10;BYDAY=MO',
  'DTSTART:20250310T000000Z|DURATION:PT1H|RRULE:FREQ=YEARLY;BYDAY=10MO',
])('the event %s is unreadable, and the others count', (odd) => {
  const bytes = Buffer.from(toCalendar(toEvent(`UID:odd|${odd}`), toEvent('UID:good|DTSTART:20270302T090000Z|DURATION:PT1H')))
  const result = findBusyTimes({ bytes, timezone: 'UTC', hostname: 'foyer.test', ...march })
  expect('problem' in result ? result : { times: format(result.times), unreadable: result.unreadable }).toEqual({
    times: ['02 09:00 to 02 10:00'],
    unreadable: 1,
  })
})

test('events with one rule that began a year apart have the same repetitions in the range', () => {
  const readRule = (start: string, rule: string) => readEvents(`DTSTART:${start}|DURATION:PT5S|RRULE:${rule}`)
  for (const rule of [
    'FREQ=HOURLY;INTERVAL=5',
    'FREQ=HOURLY;INTERVAL=6;BYDAY=MO,TU',
    'FREQ=HOURLY;BYHOUR=9,15;BYMINUTE=0,30',
    'FREQ=HOURLY;BYMONTHDAY=5',
    'FREQ=MINUTELY;INTERVAL=20;BYHOUR=9',
    'FREQ=MINUTELY;INTERVAL=240;BYSECOND=0,20',
    'FREQ=SECONDLY;INTERVAL=3600',
    'FREQ=DAILY;BYMONTH=3,6',
  ]) {
    // the year between both starts is a multiple of every interval
    const expected = readRule('20260227T000000', rule)
    expect(expected.length, rule).toBeGreaterThan(20)
    expect(readRule('20250227T000000', rule), rule).toEqual(expected)
  }
})

test('events that look like bookings of this server are returned with their ids, and at most 5000 of them', () => {
  const id = '01930000-0000-7000-8000-0000000000c1'
  const readBookings = (...events: string[]) => {
    const bytes = Buffer.from(toCalendar(...events.map(toEvent)))
    const result = findBusyTimes({ bytes, timezone: 'UTC', hostname: 'foyer.test', ...march })
    return 'problem' in result ? undefined : { ids: result.bookings.ids, times: format(result.bookings.times) }
  }
  expect(
    readBookings(
      `UID:${id.toUpperCase()}@foyer.test|DTSTART:20270301T090000Z|DURATION:PT1H`,
      `UID:${id}@other.test|DTSTART:20270301T120000Z|DURATION:PT1H`,
      `UID:${id.replace('c1', 'c2')}@foyer.test|DTSTART:20280301T090000Z|DURATION:PT1H`,
    ),
  ).toEqual({ ids: [id], times: ['01 09:00 to 01 10:00'] })
  const many = readBookings(`UID:${id}@foyer.test|DTSTART:20270301T000000Z|DURATION:PT1S|RRULE:FREQ=MINUTELY`)
  expect([many?.ids.length, many?.times.at(0), many?.times.at(1)]).toEqual([5000, '01 00:00 to 01 00:00', '01 00:01 to 01 00:01'])
  expect(many?.times.at(-1)).toBe('04 11:19 to 04 11:19')
})

test('a calendar with too many repetitions is refused', () => {
  const many = (uid: number) => `UID:${uid}|DTSTART:20270301T000000Z|DURATION:PT1S|RRULE:FREQ=MINUTELY`
  expect(readEvents(many(1), many(2), many(3))).toBe('too_many')
})

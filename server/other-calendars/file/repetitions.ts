// Limits and corrects how the library ical.js computes the repetitions of events.
import ICAL from 'ical.js'
import { toLocalTime } from '#server/platform/time/local-time.ts'
import { findClockZone } from './zones.ts'

/** The maximum number of dates that are computed for the repetitions of an event, also those that its rules then exclude. */
const maxDates = 50_000
/** The maximum interval of a rule, in the unit of its frequency, such as days. The library adds the days of an interval one by one. */
const maxInterval = 1_000_000

const secondMs = 1000
const dayMs = 24 * 60 * 60 * secondMs

const listRules = (component: ICAL.Component): ICAL.Recur[] =>
  component
    .getAllProperties('rrule')
    .map((property) => property.getFirstValue())
    .filter((value) => value instanceof ICAL.Recur)

/**
 * Prepares the rules of an event for the iterator of the library. The iterator then throws after `maxDates` dates, so that one event does
 * not use up the time for its calendar. Throws for a rule that the iterator repeats on wrong days. `timezone`: for times without a zone.
 */
export function prepareRules(component: ICAL.Component, timezone: string): void {
  const start = component.getFirstProperty('dtstart')
  const clockZone = start && findClockZone(start, timezone)
  let dates = 0
  for (const rule of listRules(component)) {
    if (rule.interval > maxInterval) throw new Error('The interval is too long')
    if (isRepeatedWrongly(rule)) throw new Error('The repetitions are not supported')
    if (clockZone && rule.until?.zone === ICAL.Timezone.utcTimezone) rule.until = toClockTime(rule.until, clockZone)
    rule.parts['BYMONTH']?.sort((one, other) => one - other) // the iterator leaves out months that are not in order
    rule.iterator = (dtstart) => {
      const iterator = new ICAL.RecurIterator({ rule, dtstart })
      const isRepetition = iterator.check_contracting_rules.bind(iterator)
      // the iterator calls this for each date, and does not return while a rule excludes all of them
      iterator.check_contracting_rules = () => {
        if (++dates > maxDates) throw new Error('The event has too many repetitions')
        return isRepetition()
      }
      return iterator
    }
  }
}

/** Converts the last time of a rule to a clock time, because the iterator compares it with the clock times of the repetitions. */
function toClockTime(until: ICAL.Time, zone: string): ICAL.Time {
  const { year, month, day, hour, minute, second } = until
  const clockTime = new ICAL.Time({ year, month, day, hour, minute, second }, ICAL.Timezone.localTimezone)
  clockTime.adjust(0, 0, toLocalTime(zone, until.toUnixTime() * 1000).offsetMinutes, 0)
  return clockTime
}

/** True for rules with weeks of the year, or with the number of a weekday in the year, such as the tenth Monday. */
const isRepeatedWrongly = ({ freq, parts }: ICAL.Recur): boolean =>
  'BYWEEKNO' in parts || (freq === 'YEARLY' && !('BYMONTH' in parts) && (parts['BYDAY'] ?? []).some((day) => /\d/.test(day)))

/**
 * Returns the time at which the iterator begins, because an event that began years ago has very many repetitions that are not needed:
 * those before `fromMs`. The time is before `fromMs`, so it need not be a repetition. It is the start of the event if the rule has COUNT,
 * which counts all repetitions.
 */
export function skipToRange(event: ICAL.Event, fromMs: number): ICAL.Time {
  const start = event.startDate
  const [rule, ...otherRules] = listRules(event.component)
  if (!rule || otherRules.length > 0 || rule.count || event.component.hasProperty('rdate')) return start
  const stepMs = findStepMs(rule, start)
  // two days less, because `toUnixTime` may use another time zone than the calendar, and two time zones differ by up to 26 hours
  const steps = Math.floor((fromMs - 2 * dayMs - start.toUnixTime() * 1000) / stepMs)
  if (stepMs === 0 || !(steps > 0)) return start
  const later = start.clone()
  if (rule.freq === 'MONTHLY') later.month += steps * rule.interval
  else later.addDuration(ICAL.Duration.fromSeconds((steps * stepMs) / 1000))
  // a time such as day 400 of a month is converted to a valid date whenever it is compared, so the result is made from the valid parts
  const { year, month, day, hour, minute, second, isDate } = later
  return new ICAL.Time({ year, month, day, hour, minute, second, isDate }, start.zone)
}

/** Returns the length of a step of the iterator; 0 if it must begin at the start of the event to find the same dates. */
function findStepMs({ freq, interval, parts }: ICAL.Recur, start: ICAL.Time): number {
  // with BYMONTH, or BYMONTHDAY without FREQ=MONTHLY, the first date of the iterator depends on the month in which it begins
  if ('BYMONTH' in parts || ('BYMONTHDAY' in parts && freq !== 'MONTHLY')) return 0
  // no month is longer than 31 days, so the steps do not go past the range; days after the 28th are missing in some months
  if (freq === 'MONTHLY') return start.day <= 28 ? 31 * dayMs * interval : 0
  const stepMs = (unitsMs[freq] ?? 0) * interval
  const isWholeDays = stepMs % dayMs === 0
  return start.isDate && !isWholeDays ? 0 : stepMs // a date without a time has no hours that could be moved
}

/** The lengths of the units of frequencies. Years are left out, because an event has few yearly repetitions. */
const unitsMs: Partial<Record<string, number>> = {
  SECONDLY: secondMs,
  MINUTELY: 60 * secondMs,
  HOURLY: 60 * 60 * secondMs,
  DAILY: dayMs,
  WEEKLY: 7 * dayMs,
}

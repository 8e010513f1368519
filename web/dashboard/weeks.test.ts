import { expect, test } from 'vitest'
import type { Dashboard } from '#contract/dashboard.ts'
import { toColumns, getWeekRange, toSeries, toTotal } from './weeks.ts'

// `sources` has the number of new contacts by lead source; '' stands for no source. The form of a contact does not list the sources
// "Trade fair" and "others", so one series counts both, and also the number `others`. This series is also named "others"; a source with that
// name must not disturb it.
const weeks: Dashboard['new_contacts'] = [
  { monday: '2026-11-09', sources: { Web: 3, '': 1, 'Trade fair': 1 }, others: 0 },
  { monday: '2026-11-16', sources: { Web: 1, 'Phone Inquiry': 4, others: 2, Other: 0 }, others: 40 },
]

test('the series are the sources with contacts, in the order of the contact form; sources that it does not list are one series', () => {
  const series = toSeries(weeks)
  expect(series.map(({ label }) => label)).toEqual(['Web', 'Phone Inquiry', 'No source', 'Other sources'])
  expect(new Set(series.map(({ colour }) => colour)).size).toBe(4)
  expect(toColumns(weeks).map(({ values }) => series.map(({ name }) => values[name] ?? 0))).toEqual([
    [3, 0, 1, 1],
    [1, 4, 0, 42],
  ])
  expect(weeks.map(toTotal)).toEqual([5, 47])
})

test('the colour of a source does not depend on the other sources', () => {
  const seriesWithOneSource = toSeries([{ monday: '2026-11-09', sources: { 'Phone Inquiry': 2 }, others: 0 }])
  expect(seriesWithOneSource).toEqual(toSeries(weeks).filter(({ label }) => label === 'Phone Inquiry'))
  expect(toSeries([{ monday: '2026-11-09', sources: {}, others: 0 }])).toEqual([])
})

test('a week has seven days, also across the end of a month', () => {
  expect(getWeekRange('2026-11-30')).toEqual({ from: '2026-11-30', to: '2026-12-06' })
})

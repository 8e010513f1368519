// Converts the numbers of new contacts by week and lead source to the columns of a chart. A series is one lead source in all columns.
import { leadSources } from '#contract/contacts.ts'
import type { Dashboard } from '#contract/dashboard.ts'
import { formatShortDay } from '#web/lib/format.ts'
import type { Series } from '#web/ui/chartParts.tsx'
import type { ChartColumn } from '#web/ui/ColumnChart.tsx'

type Weeks = Dashboard['new_contacts']

const makeSeriesName = (source: string): string => `source ${source}`

/** One series for each lead source, with or without contacts, so that a source always has the same colour. */
const sourceSeries: readonly Series[] = leadSources.map((source, index) => ({
  name: makeSeriesName(source),
  label: source,
  colour: `var(--f-chart-${index + 1})`,
}))
const noSourceSeries: Series = { name: makeSeriesName(''), label: 'No source', colour: 'var(--f-chart-none)' }
const namedSeries = [...sourceSeries, noSourceSeries]
/** The sources that are not in the list of lead sources, for example from imports. */
const otherSeries: Series = { name: 'others', label: 'Other sources', colour: 'var(--f-chart-others)' }

/** Returns the series with at least one contact in these weeks. */
export const toSeries = (weeks: Weeks): Series[] =>
  [...namedSeries, otherSeries].filter(({ name }) => weeks.some((week) => (toValues(week)[name] ?? 0) > 0))

/** Returns one chart column for each week. */
export const toColumns = (weeks: Weeks): ChartColumn[] =>
  weeks.map((week) => {
    const day = formatShortDay(week.monday)
    const dayWithoutYear = day.replace(/ \d{4}$/, '')
    return { key: week.monday, label: dayWithoutYear, title: `Week of ${day}`, values: toValues(week) }
  })

/** Returns the number of new contacts in a week by the name of the series. */
function toValues({ sources, others }: Weeks[number]): Record<string, number> {
  const values: Record<string, number> = { [otherSeries.name]: others }
  for (const [source, count] of Object.entries(sources)) {
    const { name } = namedSeries.find((each) => each.name === makeSeriesName(source)) ?? otherSeries
    values[name] = (values[name] ?? 0) + count
  }
  return values
}

/** Returns the number of new contacts in a week. */
export const toTotal = (week: Weeks[number]): number => Object.values(toValues(week)).reduce((sum, count) => sum + count, 0)

/** Returns the first and last day of the week that begins on this Monday. */
export function getWeekRange(monday: string): { from: string; to: string } {
  const sunday = new Date(monday)
  sunday.setUTCDate(sunday.getUTCDate() + 6)
  return { from: monday, to: sunday.toISOString().slice(0, 10) }
}

import { leadSources } from '#contract/contacts.ts'
import type { Dashboard } from '#contract/dashboard.ts'
import { shortDay } from '#web/lib/format.ts'
import type { ColumnOfChart, Series } from '#web/ui/ChartColumn.tsx'

type Weeks = Dashboard['new_contacts']

const nameOf = (source: string): string => `source ${source}`

/** Every source keeps its colour, whoever else there is. */
const ofSources: readonly Series[] = leadSources.map((source, index) => ({
  name: nameOf(source),
  label: source,
  colour: `var(--f-chart-${index + 1})`,
}))
const ofNone: Series = { name: nameOf(''), label: 'No source', colour: 'var(--f-chart-none)' }
const known = [...ofSources, ofNone]
/** What imports brought along. */
const ofOthers: Series = { name: 'others', label: 'Other sources', colour: 'var(--f-chart-others)' }

/** Where the contacts of these weeks came from: the sources that brought any. */
export const seriesOf = (weeks: Weeks): Series[] =>
  [...known, ofOthers].filter(({ name }) => weeks.some((week) => (valuesOf(week)[name] ?? 0) > 0))

/** The weeks as columns. */
export const columnsOf = (weeks: Weeks): ColumnOfChart[] =>
  weeks.map((week) => {
    const day = shortDay(week.monday)
    return { key: week.monday, tick: day.replace(/ \d{4}$/, ''), head: `Week of ${day}`, values: valuesOf(week) }
  })

function valuesOf({ sources }: Weeks[number]): Record<string, number> {
  const values: Record<string, number> = {}
  for (const [source, count] of Object.entries(sources)) {
    const { name } = known.find((each) => each.name === nameOf(source)) ?? ofOthers
    values[name] = (values[name] ?? 0) + count
  }
  return values
}

/** The days of a week that begins on this Monday, both ends included. */
export function daysOf(monday: string): { from: string; to: string } {
  const sunday = new Date(monday)
  sunday.setUTCDate(sunday.getUTCDate() + 6)
  return { from: monday, to: sunday.toISOString().slice(0, 10) }
}

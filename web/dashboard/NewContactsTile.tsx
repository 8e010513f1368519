import { Link } from '@tanstack/react-router'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Dashboard } from '#contract/dashboard.ts'
import { formatNumber } from '#web/lib/format.ts'
import { ChartLegend } from '#web/ui/chartParts.tsx'
import { ColumnChart } from '#web/ui/ColumnChart.tsx'
import { Tile } from './Tile.tsx'
import classes from './Tile.module.css'
import { toColumns, getWeekRange, toSeries, toTotal } from './weeks.ts'

/** The number of new contacts in each of the last twelve weeks, by lead source. */
export function NewContactsTile({ query }: { query: UseQueryResult<Dashboard> }) {
  return (
    <Tile title="New contacts" link={<Link to="/crm/contacts">Contacts</Link>} query={query} layout="columns">
      {({ new_contacts: weeks }) => <Weeks weeks={weeks} />}
    </Tile>
  )
}

function Weeks({ weeks }: { weeks: Dashboard['new_contacts'] }) {
  const series = toSeries(weeks)
  if (series.length === 0) return <p className={classes['nothing']}>Nobody new in the last twelve weeks.</p>
  const thisWeek = weeks.at(-1)
  return (
    <>
      <div className={classes['beside']}>
        <span className={classes['number']}>{formatNumber(thisWeek ? toTotal(thisWeek) : 0)}</span> this week
        <ChartLegend series={series} />
      </div>
      <ColumnChart
        caption="New contacts by week and source"
        columnHeading="Week"
        series={series}
        columns={toColumns(weeks)}
        format={formatNumber}
        renderLink={({ key }, link) => (
          <Link key={key} to="/crm/contacts" search={{ filter: [{ field: 'created_at', ...getWeekRange(key) }] }} {...link} />
        )}
      />
    </>
  )
}

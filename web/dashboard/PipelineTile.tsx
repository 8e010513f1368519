import { Link } from '@tanstack/react-router'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Dashboard } from '#contract/dashboard.ts'
import type { StageTotal } from '#contract/deals.ts'
import { formatNumber, formatMoney } from '#web/lib/format.ts'
import { getStageColour, stageLabels } from '#web/deals/kind/stages.ts'
import { BarChart } from '#web/ui/BarChart.tsx'
import { ChartLegend } from '#web/ui/chartParts.tsx'
import { Tile } from './Tile.tsx'
import classes from './Tile.module.css'

/** The value and the forecast of the open deals, by stage. */
export function PipelineTile({ query }: { query: UseQueryResult<Dashboard> }) {
  return (
    <Tile title="Pipeline" link={<Link to="/crm/deals">Deals</Link>} query={query} layout="bars">
      {({ pipeline }) => (pipeline.some(({ count }) => count > 0) ? <Stages pipeline={pipeline} /> : <NoDeals />)}
    </Tile>
  )
}

const NoDeals = () => <p className={classes['nothing']}>No deal is open. Open deals show here by stage, with what to expect of them.</p>

const Stages = ({ pipeline }: { pipeline: readonly StageTotal[] }) => (
  <>
    <div className={classes['beside']}>
      <span className={classes['number']}>{formatRounded(sumByField(pipeline, 'forecast'))}</span>
      forecast, of {formatRounded(sumByField(pipeline, 'value'))} open
      <ChartLegend series={legend} />
    </div>
    <BarChart
      caption="Open deals by stage"
      headings={['Stage', 'Deals', 'Value', 'Forecast']}
      bars={pipeline.map((total) => ({
        key: total.stage,
        label: stageLabels[total.stage],
        colour: getStageColour(total.stage),
        whole: total.value,
        part: total.forecast,
        valueLabel: formatRounded(total.value),
        cells: [formatNumber(total.count), formatRounded(total.value), formatRounded(total.forecast)],
      }))}
      // `as: 'list'` opens the list of deals instead of the board
      renderLink={({ key }, link) => (
        <Link key={key} to="/crm/deals" search={{ as: 'list', filter: [{ field: 'stage', is: [key] }] }} {...link} />
      )}
    />
  </>
)

/** The legend explains the full and the pale part of a bar. It has neutral colours, because each stage has its own colour. */
const legend = [
  { name: 'forecast', label: 'Forecast', colour: 'var(--f-text-3)' },
  { name: 'value', label: 'Value', colour: 'color-mix(in srgb, var(--f-text-3) 26%, transparent)' },
]

const formatRounded = (amount: number): string => formatMoney(Math.round(amount))

const sumByField = (pipeline: readonly StageTotal[], field: 'value' | 'forecast'): number =>
  pipeline.reduce((sum, total) => sum + total[field], 0)

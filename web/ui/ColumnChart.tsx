import { useState, type ReactNode } from 'react'
import { ChartTable, type Series } from './chartParts.tsx'
import classes from './charts.module.css'
import { useListener } from './domHooks.ts'

/** A column. `label` is shown below some columns. `title` is the full name: "Week of 16 November 2026". */
export type ChartColumn = { key: string; label: string; title: string; values: Readonly<Record<string, number>> }

/** The properties of the link that covers a column. */
type ColumnLink = { 'aria-label': string; className: string | undefined; tabIndex: number }

type ColumnChartProps = {
  /** A description of the chart for screen readers. */
  caption: string
  /** The heading of the columns in the table: "Week". */
  columnHead: string
  /** The series, stacked from bottom to top. */
  series: readonly Series[]
  columns: readonly ChartColumn[]
  format: (value: number) => string
  /** Renders the link of a column. */
  renderLink: (column: ChartColumn, link: ColumnLink) => ReactNode
}

/** Positions in px from the top of the drawing: the zero line, the highest mark and the labels. */
const zeroY = 124
const topY = 8
const labelY = 142
const maxLabels = 3

/** A stacked column chart. Tab focuses the last column, and the arrow keys move the focus. Screen readers read a table instead. */
export function ColumnChart({ caption, columnHead, series, columns, format, renderLink }: ColumnChartProps) {
  const marks = marksUpTo(Math.max(0, ...columns.map(totalOf)))
  const heightOf = (value: number): number => (value / marks[2]) * (zeroY - topY)
  const { current, setBox } = useFocusedColumn(columns.length)
  return (
    <figure className={classes['columns']} aria-label={caption}>
      <div className={classes['plot']}>
        <svg width="100%" height="146" aria-hidden="true">
          {marks.map((mark) => (
            <rect key={mark} className={classes['line']} x="0" y={zeroY - heightOf(mark)} width="100%" height="1" />
          ))}
          {columns.map((column, index) => (
            <Column key={column.key} column={column} index={index} count={columns.length} series={series} heightOf={heightOf} />
          ))}
        </svg>
        <div className={classes['slots']} ref={setBox}>
          {columns.map((column, index) => (
            <div key={column.key} className={classes['cell']}>
              {renderLink(column, {
                'aria-label': `${column.title}: ${format(totalOf(column))}${seriesValuesOf(column, series, format)}`,
                className: classes['slot'],
                tabIndex: index === current ? 0 : -1,
              })}
              <Tooltip column={column} series={series} format={format} side={index < columns.length / 2 ? 'start' : 'end'} />
            </div>
          ))}
        </div>
      </div>
      <div className={classes['marks']} aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark} style={{ top: zeroY - heightOf(mark) }}>
            {format(mark)}
          </span>
        ))}
      </div>
      <ChartTable
        caption={caption}
        heads={[columnHead, ...series.map(({ label }) => label), 'Together']}
        rows={columns.map((column) => ({
          key: column.key,
          head: column.title,
          cells: [...series.map((each) => format(column.values[each.name] ?? 0)), format(totalOf(column))],
        }))}
      />
    </figure>
  )
}

const seriesValuesOf = (column: ChartColumn, series: readonly Series[], format: (value: number) => string): string =>
  series
    .filter(({ name }) => (column.values[name] ?? 0) > 0)
    .map(({ name, label }) => `, ${label} ${format(column.values[name] ?? 0)}`)
    .join('')

/** Returns the index of the column that Tab focuses. The arrow keys change it. */
function useFocusedColumn(count: number) {
  const [box, setBox] = useState<HTMLElement | null>(null)
  const [focused, setFocused] = useState<number>()
  const current = Math.min(focused ?? count - 1, count - 1)
  useListener(box, 'keydown', (event) => {
    const to = steps[event.key]?.(current, count - 1)
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const next = Math.min(Math.max(to, 0), count - 1)
    setFocused(next)
    box?.children[next]?.querySelector('a')?.focus()
  })
  return { current, setBox }
}

const steps: Record<string, (current: number, last: number) => number> = {
  ArrowLeft: (current) => current - 1,
  ArrowRight: (current) => current + 1,
  Home: () => 0,
  End: (_, last) => last,
}

const totalOf = ({ values }: ChartColumn): number => Object.values(values).reduce((sum, value) => sum + value, 0)

/** Returns three round numbers for the scale of an axis, from 0 to at least `max`. */
export function marksUpTo(max: number): [zero: 0, half: number, end: number] {
  const power = 10 ** Math.floor(Math.log10(Math.max(max / 2, 1)))
  const half =
    roundFactors.map((factor) => Math.round(factor * power * 10) / 10).find((mark) => Number.isInteger(mark) && mark * 2 >= max) ?? max / 2
  return [0, half, half * 2]
}

const roundFactors = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

type ColumnProps = { column: ChartColumn; index: number; count: number; series: readonly Series[]; heightOf: (value: number) => number }

/** Draws a column. Widths are percentages and heights are pixels, so the chart scales without being measured and text is not stretched. */
function Column({ column, index, count, series, heightOf }: ColumnProps) {
  const slot = 100 / count
  const parts = series.map(({ name, colour }) => ({ name, colour, value: column.values[name] ?? 0 }))
  const labelStep = Math.ceil(count / maxLabels)
  const isLast = index === count - 1
  return (
    <>
      {parts.map(({ name, colour, value }, position) => {
        const valueBelow = parts.slice(0, position).reduce((sum, part) => sum + part.value, 0)
        if (value === 0) return null
        const height = Math.max(heightOf(value) - 1, 1)
        const y = zeroY - heightOf(valueBelow) - height
        return <rect key={name} x={`${(index + 0.22) * slot}%`} y={y} width={`${0.56 * slot}%`} height={height} rx="2" fill={colour} />
      })}
      {(index % labelStep === 0 || isLast) && (
        <text
          x={`${(index + (index === 0 ? 0.22 : isLast ? 0.78 : 0.5)) * slot}%`}
          y={labelY}
          textAnchor={index === 0 ? 'start' : isLast ? 'end' : 'middle'}
        >
          {column.label}
        </text>
      )}
    </>
  )
}

type TooltipProps = { column: ChartColumn; series: readonly Series[]; format: (value: number) => string; side: 'start' | 'end' }

/** The values of a column, shown on hover and focus. Screen readers read the label of the link instead. */
const Tooltip = ({ column, series, format, side }: TooltipProps) => (
  <span className={classes['tip']} data-side={side} aria-hidden="true">
    <b>{column.title}</b>
    {series.toReversed().map(({ name, label, colour }) => (
      <span key={name} className={classes['tipLine']}>
        <i style={{ background: colour }} />
        {label}
        <span>{format(column.values[name] ?? 0)}</span>
      </span>
    ))}
  </span>
)

import { useState, type ReactNode } from 'react'
import { ChartTable, type Series } from './chartParts.tsx'
import classes from './charts.module.css'
import { useListener } from './domHooks.ts'

export type ChartColumn = {
  key: string
  /** The text below the column: "16 Nov". Only some columns show it. */
  label: string
  /** The full name: "Week of 16 November 2026". */
  title: string
  /** The values by the name of the series. */
  values: Readonly<Record<string, number>>
}

/** The properties of the link that covers a column. */
type ColumnLink = { 'aria-label': string; className: string | undefined; tabIndex: number }

type ColumnChartProps = {
  /** A description of the chart for screen readers. */
  caption: string
  /** What a column of the chart stands for, as a heading in the table: "Week". */
  columnHeading: string
  /** The series, stacked from bottom to top. */
  series: readonly Series[]
  columns: readonly ChartColumn[]
  format: (value: number) => string
  /** Renders the link of a column. */
  renderLink: (column: ChartColumn, link: ColumnLink) => ReactNode
}

/** The distances in px from the top of the drawing to the zero line, to the highest mark and to the labels. */
const zeroY = 124
const topY = 8
const labelY = 142
/** The approximate number of labels. The last column always has a label. */
const labelCount = 3
/**
 * The chart is divided into slots of equal width. A slot contains a column and free space on both sides of the column. These are the start,
 * the end and the width of the column, as fractions of the width of the slot.
 */
const columnStart = 0.22
const columnEnd = 0.78
const columnWidth = 0.56

/** A stacked column chart. Tab focuses the last column, and the arrow keys move the focus. Screen readers read a table instead. */
export function ColumnChart({ caption, columnHeading, series, columns, format, renderLink }: ColumnChartProps) {
  const marks = getAxisMarks(Math.max(0, ...columns.map(getTotal)))
  const highestMark = marks[2]
  const getHeight = (value: number): number => (value / highestMark) * (zeroY - topY) // in px
  const { focusableIndex, boxRef } = useFocusableColumn(columns.length)
  return (
    <figure className={classes['columns']} aria-label={caption}>
      <div className={classes['plot']}>
        <svg width="100%" height="146" aria-hidden="true">
          {marks.map((mark) => (
            <rect key={mark} className={classes['line']} x="0" y={zeroY - getHeight(mark)} width="100%" height="1" />
          ))}
          {columns.map((column, index) => (
            <Column key={column.key} column={column} index={index} count={columns.length} series={series} getHeight={getHeight} />
          ))}
        </svg>
        <div className={classes['slots']} ref={boxRef}>
          {columns.map((column, index) => (
            <div key={column.key} className={classes['cell']}>
              {renderLink(column, {
                'aria-label': `${column.title}: ${format(getTotal(column))}${formatSeriesValues(column, series, format)}`,
                className: classes['slot'],
                tabIndex: index === focusableIndex ? 0 : -1,
              })}
              <Tooltip column={column} series={series} format={format} side={index < columns.length / 2 ? 'start' : 'end'} />
            </div>
          ))}
        </div>
      </div>
      <div className={classes['marks']} aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark} style={{ top: zeroY - getHeight(mark) }}>
            {format(mark)}
          </span>
        ))}
      </div>
      <ChartTable
        caption={caption}
        headings={[columnHeading, ...series.map(({ label }) => label), 'Total']}
        rows={columns.map((column) => ({
          key: column.key,
          heading: column.title,
          cells: [...series.map((each) => format(column.values[each.name] ?? 0)), format(getTotal(column))],
        }))}
      />
    </figure>
  )
}

/** Returns the values that are not zero: ", Web 1, Phone 2". */
const formatSeriesValues = (column: ChartColumn, series: readonly Series[], format: (value: number) => string): string =>
  series
    .filter(({ name }) => (column.values[name] ?? 0) > 0)
    .map(({ name, label }) => `, ${label} ${format(column.values[name] ?? 0)}`)
    .join('')

/** Returns the index of the column that Tab focuses. The arrow keys, Home and End change the index. */
function useFocusableColumn(count: number) {
  const [box, setBox] = useState<HTMLElement | null>(null)
  const [focusedIndex, setFocusedIndex] = useState<number>()
  const lastIndex = count - 1
  const focusableIndex = Math.min(focusedIndex ?? lastIndex, lastIndex)
  useListener(box, 'keydown', (event) => {
    const target = targetIndexes[event.key]?.(focusableIndex, lastIndex)
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const next = Math.min(Math.max(target, 0), lastIndex)
    setFocusedIndex(next)
    box?.children[next]?.querySelector('a')?.focus()
  })
  return { focusableIndex, boxRef: setBox }
}

/** The functions that return the index of the column that a key focuses. */
const targetIndexes: Record<string, (current: number, last: number) => number> = {
  ArrowLeft: (current) => current - 1,
  ArrowRight: (current) => current + 1,
  Home: () => 0,
  End: (_current, last) => last,
}

const getTotal = ({ values }: ChartColumn): number => Object.values(values).reduce((sum, value) => sum + value, 0)

/** Returns three round numbers for an axis: 0, half of the end, and the end, which is at least `max`. */
export function getAxisMarks(max: number): [zero: 0, half: number, end: number] {
  // the largest power of ten that is not greater than half of `max`
  const power = 10 ** Math.floor(Math.log10(Math.max(max / 2, 1)))
  const candidates = roundFactors.map((factor) => Math.round(factor * power * 10) / 10) // the rounding removes floating point errors
  // the marks are whole numbers, because the chart may show counts
  const half = candidates.find((mark) => Number.isInteger(mark) && mark * 2 >= max) ?? max / 2
  return [0, half, half * 2]
}

/** The numbers that look round when they are multiplied by a power of ten. */
const roundFactors = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

type ColumnProps = { column: ChartColumn; index: number; count: number; series: readonly Series[]; getHeight: (value: number) => number }

/** Draws a column. Widths are percentages and heights are pixels, so that the chart fits any width and its texts are not stretched. */
function Column({ column, index, count, series, getHeight }: ColumnProps) {
  const slotWidth = 100 / count // in percent
  const parts = series.map(({ name, colour }) => ({ name, colour, value: column.values[name] ?? 0 }))
  const labelStep = Math.ceil(count / labelCount)
  const hasLabel = index % labelStep === 0 || index === count - 1
  const { x, textAnchor } = getLabelPosition(index, count)
  return (
    <>
      {parts.map(({ name, colour, value }, position) => {
        const valueBelow = parts.slice(0, position).reduce((sum, part) => sum + part.value, 0)
        if (value === 0) return null
        const height = Math.max(getHeight(value) - 1, 1) // 1 px separates the series
        const y = zeroY - getHeight(valueBelow) - height
        return (
          <rect
            key={name}
            x={`${(index + columnStart) * slotWidth}%`}
            y={y}
            width={`${columnWidth * slotWidth}%`}
            height={height}
            rx="2"
            fill={colour}
          />
        )
      })}
      {hasLabel && (
        <text x={`${(index + x) * slotWidth}%`} y={labelY} textAnchor={textAnchor}>
          {column.label}
        </text>
      )}
    </>
  )
}

/**
 * Returns the position `x` of a label in its slot, as a fraction of the width. The first label begins at the left edge of its column and
 * the last label ends at the right edge of its column, so that no label leaves the drawing. The others are centred.
 */
function getLabelPosition(index: number, count: number): { x: number; textAnchor: 'start' | 'middle' | 'end' } {
  if (index === 0) return { x: columnStart, textAnchor: 'start' }
  if (index === count - 1) return { x: columnEnd, textAnchor: 'end' }
  return { x: 0.5, textAnchor: 'middle' }
}

type TooltipProps = { column: ChartColumn; series: readonly Series[]; format: (value: number) => string; side: 'start' | 'end' }

/** The values of a column, shown on hover and focus. Screen readers read the label of the link instead. */
const Tooltip = ({ column, series, format, side }: TooltipProps) => (
  <span className={classes['tooltip']} data-side={side} aria-hidden="true">
    <b>{column.title}</b>
    {series.toReversed().map(({ name, label, colour }) => (
      <span key={name} className={classes['tooltipLine']}>
        <i style={{ background: colour }} />
        {label}
        <span>{format(column.values[name] ?? 0)}</span>
      </span>
    ))}
  </span>
)

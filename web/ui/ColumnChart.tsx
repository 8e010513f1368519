import { useState, type ReactNode } from 'react'
import { marksUpTo } from './chartScale.ts'
import { ceiling, floor, Pile, Tip, totalOf, type ColumnOfChart, type Series } from './ChartColumn.tsx'
import { ChartTable } from './ChartTable.tsx'
import classes from './charts.module.css'
import { useListener } from './useListener.ts'

/** What goes into the link that lies over a column. */
type ColumnLink = { 'aria-label': string; className: string | undefined; tabIndex: number }

type ColumnChartProps = {
  /** What it shows, in a sentence. */
  caption: string
  /** What a column is: "Week of". */
  columnHead: string
  /** From the bottom to the top. */
  series: readonly Series[]
  columns: readonly ColumnOfChart[]
  words: (value: number) => string
  /** The link that a column leads to. */
  renderLink: (column: ColumnOfChart, look: ColumnLink) => ReactNode
}

/** Values over time, piled up by kind. Tab comes to the newest column, the arrows go to the others; a table stands behind it. */
export function ColumnChart({ caption, columnHead, series, columns, words, renderLink }: ColumnChartProps) {
  const marks = marksUpTo(Math.max(0, ...columns.map(totalOf)))
  const heightOf = (value: number): number => (value / marks[2]) * (floor - ceiling)
  const { current, setBox } = useCurrent(columns.length)
  return (
    <figure className={classes['columns']} aria-label={caption}>
      <div className={classes['plot']}>
        <svg width="100%" height="146" aria-hidden="true">
          {marks.map((mark) => (
            <rect key={mark} className={classes['line']} x="0" y={floor - heightOf(mark)} width="100%" height="1" />
          ))}
          {columns.map((column, index) => (
            <Pile key={column.key} column={column} index={index} count={columns.length} series={series} heightOf={heightOf} />
          ))}
        </svg>
        <div className={classes['slots']} ref={setBox}>
          {columns.map((column, index) => (
            <div key={column.key} className={classes['cell']}>
              {renderLink(column, {
                'aria-label': `${column.head}: ${words(totalOf(column))}${partsOf(column, series, words)}`,
                className: classes['slot'],
                tabIndex: index === current ? 0 : -1,
              })}
              <Tip column={column} series={series} words={words} side={index < columns.length / 2 ? 'start' : 'end'} />
            </div>
          ))}
        </div>
      </div>
      <div className={classes['marks']} aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark} style={{ top: floor - heightOf(mark) }}>
            {words(mark)}
          </span>
        ))}
      </div>
      <ChartTable
        caption={caption}
        heads={[columnHead, ...series.map(({ label }) => label), 'Together']}
        rows={columns.map((column) => ({
          key: column.key,
          head: column.head,
          cells: [...series.map((each) => words(column.values[each.name] ?? 0)), words(totalOf(column))],
        }))}
      />
    </figure>
  )
}

const partsOf = (column: ColumnOfChart, series: readonly Series[], words: (value: number) => string): string =>
  series
    .filter(({ name }) => (column.values[name] ?? 0) > 0)
    .map(({ name, label }) => `, ${label} ${words(column.values[name] ?? 0)}`)
    .join('')

/** The column that Tab comes to; the arrows go on from there. */
function useCurrent(count: number) {
  const [box, setBox] = useState<HTMLElement | null>(null)
  const [chosen, setChosen] = useState<number>()
  const current = Math.min(chosen ?? count - 1, count - 1)
  useListener(box, 'keydown', (event) => {
    const to = steps[event.key]?.(current, count - 1)
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const next = Math.min(Math.max(to, 0), count - 1)
    setChosen(next)
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

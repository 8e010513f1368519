import type { ReactNode } from 'react'
import { ChartTable } from './chartParts.tsx'
import classes from './charts.module.css'

type Bar = {
  key: string
  label: string
  colour: string
  /** The length of the pale bar. */
  whole: number
  /** The length of the full bar, which covers part of the pale bar. */
  part: number
  /** The text at the end of the bar. */
  valueLabel: string
  /** The cells of the table row. */
  cells: readonly string[]
}

/** The properties of the link around a bar. */
type BarLink = { className: string | undefined; title: string; children: ReactNode }

type BarChartProps = {
  /** A description of the chart for screen readers. */
  caption: string
  /** The headings of the table, first that of the labels. */
  heads: readonly string[]
  bars: readonly Bar[]
  /** Renders the link of a bar. */
  renderLink: (bar: Bar, link: BarLink) => ReactNode
}

/** A bar chart of values and a part of each value. Screen readers read a table instead. */
export function BarChart({ caption, heads, bars, renderLink }: BarChartProps) {
  const longest = Math.max(0, ...bars.map(({ whole }) => whole))
  const widthOf = (value: number): string => `${longest > 0 ? (value / longest) * 100 : 0}%`
  return (
    <figure className={classes['bars']}>
      {bars.map((bar) => {
        const values = bar.cells.map((cell, index) => `${heads[index + 1]?.toLowerCase()} ${cell}`)
        const otherValues = values.filter((_, index) => bar.cells[index] !== bar.valueLabel).join(', ')
        return renderLink(bar, {
          title: capitalise(values.join(', ')),
          className: classes['bar'],
          children: (
            <>
              <span>{bar.label}</span>
              <svg width="100%" height="10" aria-hidden="true">
                <rect width={widthOf(bar.whole)} height="10" rx="3" fill={bar.colour} className={classes['pale']} />
                <rect width={widthOf(bar.part)} height="10" rx="3" fill={bar.colour} />
              </svg>
              <span className={classes['value']}>
                {bar.valueLabel}
                <span className={classes['screenReaderOnly']}>, {otherValues}</span>
              </span>
            </>
          ),
        })
      })}
      <ChartTable caption={caption} heads={heads} rows={bars.map(({ key, label, cells }) => ({ key, head: label, cells }))} />
    </figure>
  )
}

const capitalise = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

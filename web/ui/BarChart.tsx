import type { ReactNode } from 'react'
import { ChartTable } from './chartParts.tsx'
import classes from './charts.module.css'

type Bar = {
  key: string
  label: string
  colour: string
  /** The value of the pale bar. */
  whole: number
  /** A part of `whole`. Its bar has the full colour and covers a part of the pale bar. */
  part: number
  /** The text at the end of the bar. */
  valueLabel: string
  /** The cells of the row in the table, without the label. */
  cells: readonly string[]
}

/** The properties of the link around a bar. */
type BarLink = { className: string | undefined; title: string; children: ReactNode }

type BarChartProps = {
  /** A description of the chart for screen readers. */
  caption: string
  /** The heading of each column of the table. The first column contains the labels of the bars. */
  headings: readonly string[]
  bars: readonly Bar[]
  /** Renders the link of a bar. */
  renderLink: (bar: Bar, link: BarLink) => ReactNode
}

/** A bar chart, where each bar shows a value and a part of this value. Screen readers read a table instead. */
export function BarChart({ caption, headings, bars, renderLink }: BarChartProps) {
  const longest = Math.max(0, ...bars.map(({ whole }) => whole))
  const widthOf = (value: number): string => `${longest > 0 ? (value / longest) * 100 : 0}%`
  return (
    <figure className={classes['bars']}>
      {bars.map((bar) => {
        // the first heading is above the labels, so the first cell has the second heading
        const namedValues = bar.cells.map((cell, index) => `${headings[index + 1]?.toLowerCase()} ${cell}`)
        // the values that are not visible at the end of the bar
        const otherValues = namedValues.filter((_value, index) => bar.cells[index] !== bar.valueLabel).join(', ')
        return renderLink(bar, {
          title: capitalise(namedValues.join(', ')),
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
      <ChartTable caption={caption} headings={headings} rows={bars.map(({ key, label, cells }) => ({ key, heading: label, cells }))} />
    </figure>
  )
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

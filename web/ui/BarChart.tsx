import type { ReactNode } from 'react'
import { ChartTable } from './ChartTable.tsx'
import classes from './charts.module.css'

/** A bar: the whole of it is pale, its `part` is full. `cells` are the words of the table, `words` stand at its end. */
type Bar = { key: string; label: string; colour: string; whole: number; part: number; words: string; cells: readonly string[] }

/** What goes into the link that a bar is. */
type BarLink = { className: string | undefined; title: string; children: ReactNode }

type BarChartProps = {
  /** What it shows, in a sentence. */
  caption: string
  /** The heads of the table: of the label, then of the cells. */
  heads: readonly string[]
  bars: readonly Bar[]
  /** The link that a bar leads to. */
  renderLink: (bar: Bar, look: BarLink) => ReactNode
}

/** Values beside each other, each with the part of it that counts. A table stands behind it. */
export function BarChart({ caption, heads, bars, renderLink }: BarChartProps) {
  const most = Math.max(0, ...bars.map(({ whole }) => whole))
  const widthOf = (value: number): string => `${most > 0 ? (value / most) * 100 : 0}%`
  return (
    <figure className={classes['bars']}>
      {bars.map((bar) => {
        const said = bar.cells.map((cell, index) => `${heads[index + 1]?.toLowerCase()} ${cell}`)
        const rest = said.filter((_, index) => bar.cells[index] !== bar.words).join(', ')
        return renderLink(bar, {
          title: capitalised(said.join(', ')),
          className: classes['bar'],
          children: (
            <>
              <span>{bar.label}</span>
              <svg width="100%" height="10" aria-hidden="true">
                <rect width={widthOf(bar.whole)} height="10" rx="3" fill={bar.colour} className={classes['pale']} />
                <rect width={widthOf(bar.part)} height="10" rx="3" fill={bar.colour} />
              </svg>
              <span className={classes['value']}>
                {bar.words}
                <span className={classes['behind']}>, {rest}</span>
              </span>
            </>
          ),
        })
      })}
      <ChartTable caption={caption} heads={heads} rows={bars.map(({ key, label, cells }) => ({ key, head: label, cells }))} />
    </figure>
  )
}

const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

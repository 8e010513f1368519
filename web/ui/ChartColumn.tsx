import classes from './charts.module.css'

/** One kind of value, in a CSS colour: `var(--f-chart-1)`. */
export type Series = { name: string; label: string; colour: string }
/** `tick` stands under the column where there is room, `head` is the whole of it: "Week of 16 November 2026". */
export type ColumnOfChart = { key: string; tick: string; head: string; values: Readonly<Record<string, number>> }

/** Of the drawing, in px: the line of nothing, the highest mark, and the words under it. */
export const floor = 124
export const ceiling = 8
const below = 142
const ticksAtMost = 3

/** What a column comes to. */
export const totalOf = ({ values }: ColumnOfChart): number => Object.values(values).reduce((sum, value) => sum + value, 0)

type PileProps = { column: ColumnOfChart; index: number; count: number; series: readonly Series[]; heightOf: (value: number) => number }

/** A column as it is drawn. Widths are parts of the whole and heights are pixels, so that nothing is measured and no letter is stretched. */
export function Pile({ column, index, count, series, heightOf }: PileProps) {
  const slot = 100 / count
  const parts = series.map(({ name, colour }) => ({ name, colour, value: column.values[name] ?? 0 }))
  const every = Math.ceil(count / ticksAtMost)
  const isLast = index === count - 1
  return (
    <>
      {parts.map(({ name, colour, value }, place) => {
        const under = parts.slice(0, place).reduce((sum, part) => sum + part.value, 0)
        if (value === 0) return null
        const height = Math.max(heightOf(value) - 1, 1)
        const y = floor - heightOf(under) - height
        return <rect key={name} x={`${(index + 0.22) * slot}%`} y={y} width={`${0.56 * slot}%`} height={height} rx="2" fill={colour} />
      })}
      {(index % every === 0 || isLast) && (
        <text
          x={`${(index + (index === 0 ? 0.22 : isLast ? 0.78 : 0.5)) * slot}%`}
          y={below}
          textAnchor={index === 0 ? 'start' : isLast ? 'end' : 'middle'}
        >
          {column.tick}
        </text>
      )}
    </>
  )
}

type TipProps = { column: ColumnOfChart; series: readonly Series[]; words: (value: number) => string; side: 'start' | 'end' }

/** The values of a column, while the pointer or the focus is on it. The link says the same to screen readers. */
export const Tip = ({ column, series, words, side }: TipProps) => (
  <span className={classes['tip']} data-side={side} aria-hidden="true">
    <b>{column.head}</b>
    {series.toReversed().map(({ name, label, colour }) => (
      <span key={name} className={classes['tipLine']}>
        <i style={{ background: colour }} />
        {label}
        <span>{words(column.values[name] ?? 0)}</span>
      </span>
    ))}
  </span>
)

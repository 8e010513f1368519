import classes from './charts.module.css'

/** A series of values. `colour` is a CSS colour: `var(--f-chart-1)`. */
export type Series = { name: string; label: string; colour: string }

/** The labels of the series with their colours. */
export const ChartLegend = ({ series }: { series: readonly Series[] }) => (
  <ul className={classes['legend']}>
    {series.map(({ name, label, colour }) => (
      <li key={name}>
        <i style={{ background: colour }} />
        {label}
      </li>
    ))}
  </ul>
)

type ChartTableProps = {
  /** A description of the chart. */
  caption: string
  /** The headings of all columns. */
  heads: readonly string[]
  rows: readonly { key: string; head: string; cells: readonly string[] }[]
}

/** The values of a chart as a table for screen readers. */
export function ChartTable({ caption, heads, rows }: ChartTableProps) {
  return (
    <div className={classes['screenReaderOnly']}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, head, cells }) => (
            <tr key={key}>
              <th scope="row">{head}</th>
              {cells.map((cell, index) => (
                <td key={heads[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

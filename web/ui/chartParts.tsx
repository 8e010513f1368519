import classes from './charts.module.css'

/** A series of values. `colour` is a CSS colour: `var(--f-chart-1)`. */
export type Series = { name: string; label: string; colour: string }

/** The legend of a chart: the label of each series with its colour. */
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
  /** The heading of each column. The first column contains the headings of the rows. */
  headings: readonly string[]
  rows: readonly { key: string; heading: string; cells: readonly string[] }[]
}

/** The values of a chart as a table for screen readers. */
export function ChartTable({ caption, headings, rows }: ChartTableProps) {
  return (
    <div className={classes['screenReaderOnly']}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, heading, cells }) => (
            <tr key={key}>
              <th scope="row">{heading}</th>
              {cells.map((cell, index) => (
                <td key={headings[index + 1]}>{cell}</td> // the first heading is above the headings of the rows
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

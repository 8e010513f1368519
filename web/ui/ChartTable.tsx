import classes from './charts.module.css'

export type ChartTableProps = {
  /** What the chart shows, in a sentence. */
  caption: string
  /** The heads, that of the first column too. */
  heads: readonly string[]
  rows: readonly { key: string; head: string; cells: readonly string[] }[]
}

/** The numbers behind a chart, for whoever does not see it. */
export function ChartTable({ caption, heads, rows }: ChartTableProps) {
  return (
    <div className={classes['behind']}>
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

import { useMemo } from 'react'
import { formatNumber } from '#web/lib/format.ts'
import { parseCsv } from './csv.ts'
import classes from './Preview.module.css'

const maxRows = 1000

/** The first rows of a CSV file as a table. The first row is the header. */
export function CsvTable({ text }: { text: string }) {
  const [header = [], ...allRows] = useMemo(() => parseCsv(text, maxRows + 2), [text]) // the header, and one row more than is shown
  const rows = allRows.slice(0, maxRows)
  return (
    <>
      <table className={classes['csv']}>
        <thead>
          <tr>
            {header.map((name, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the columns have no ids
              <th key={index} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowIndex) => (
            // oxlint-disable-next-line react/no-array-index-key -- the rows have no ids
            <tr key={rowIndex}>
              {row.map((value, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- the values have no ids
                <td key={index}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {allRows.length > maxRows && <p className={classes['empty']}>The table shows the first {formatNumber(maxRows)} rows.</p>}
    </>
  )
}

import { formatNumber } from '#web/lib/format.ts'
import type { PrintedTableProps } from '#web/lib/printing.ts'
import classes from './PrintedTable.module.css'

/** The printed width of a column that shares the remaining width on the screen. */
const defaultWidthPx = 180

/** All loaded rows of a list with their columns, on paper. */
export function PrintedTable<Row extends { id: string }>({ label, columns: allColumns, rows, total }: PrintedTableProps<Row>) {
  const columns = allColumns.filter(({ name }) => name !== 'actions')
  // the number before "px" in a CSS width
  const widths = columns.map(({ cssWidth }) => Number(/\d+(?=px)/.exec(cssWidth ?? '')?.[0] ?? defaultWidthPx))
  const totalWidth = widths.reduce((sum, width) => sum + width, 0)
  const isComplete = total !== undefined && total <= rows.length
  return (
    <section className={classes['printed']} aria-label={`${label} on paper`}>
      {!isComplete && (
        <p className={classes['part']}>
          The first {formatNumber(rows.length)} {total !== undefined && `of ${formatNumber(total)} `}
          {label.toLowerCase()}
        </p>
      )}
      <table className={classes['table']}>
        <colgroup>
          {columns.map(({ name }, index) => (
            <col key={name} style={{ width: `${(100 * (widths[index] ?? 0)) / totalWidth}%` }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" data-align={column.align}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {columns.map((column) => (
                <td key={column.name} data-column={column.name} data-align={column.align}>
                  {column.cell(row, false /* not in the tab order */)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

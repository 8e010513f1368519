import type { Column } from './TableRow.tsx'
import classes from './TableSkeleton.module.css'

/** The widths of the bars, as fractions of a cell. They repeat from row to row in another order, so that the rows look different. */
const barWidths = [0.68, 0.94, 0.78, 1, 0.88, 0.72, 0.98]

/** A cell needs some text to have the height of a row. */
const nonBreakingSpace = '\u00a0'

/** `count` placeholder rows of a table that is being loaded. */
export function TableSkeleton<Row>({ columns, count }: { columns: readonly Column<Row>[]; count: number }) {
  return Array.from({ length: count }, (_, row) => (
    <tr key={row} aria-hidden className={classes['row']}>
      <td data-column="checkbox">{nonBreakingSpace}</td>
      {columns.map(({ name, isLabelHidden }, index) => (
        <td key={name} data-column={name}>
          {!isLabelHidden && <span style={{ width: `${(barWidths[(row * 3 + index * 5) % barWidths.length] ?? 1) * 100}%` }} />}
        </td>
      ))}
    </tr>
  ))
}

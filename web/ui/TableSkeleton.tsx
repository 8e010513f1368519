import type { Column } from './TableRow.tsx'
import classes from './TableSkeleton.module.css'

const widths = [0.68, 0.94, 0.78, 1, 0.88, 0.72, 0.98]

/** Placeholder rows of a table that is loading. */
export function TableSkeleton<Row>({ columns, count }: { columns: readonly Column<Row>[]; count: number }) {
  return Array.from({ length: count }, (_, row) => (
    <tr key={row} aria-hidden className={classes['row']}>
      <td data-column="checkbox">{'\u00a0'}</td>
      {columns.map(({ name, labelHidden }, index) => (
        <td key={name} data-column={name}>
          {!labelHidden && <span style={{ width: `${(widths[(row * 3 + index * 5) % widths.length] ?? 1) * 100}%` }} />}
        </td>
      ))}
    </tr>
  ))
}

import { memo, type ReactNode } from 'react'
import { Checkbox } from './Checkbox.tsx'

export type Column<Row> = {
  name: string
  label: string
  /** Said to screen readers only. */
  labelHidden?: boolean
  sortable?: boolean
  /** Its width as CSS has it; without one it shares the rest. */
  cssWidth?: string | undefined
  /** Numbers stand at the right. */
  align?: 'right'
  /** What Tab stops at must be out of its way (`tabIndex` -1) unless `reachable`: only the row under the cursor is. */
  cell(row: Row, reachable: boolean): ReactNode
}

type TableRowProps<Row> = {
  row: Row
  index: number
  name: string
  columns: readonly Column<Row>[]
  chosen: boolean
  /** Done with. */
  faded: boolean
  /** The cursor is here: Tab comes to this row. */
  current: boolean
  onToggle: (index: number, range: boolean) => void
}

function Drawn<Row>({ row, index, name, columns, chosen, faded, current, onToggle }: TableRowProps<Row>) {
  return (
    <tr
      data-index={index}
      data-chosen={chosen || undefined}
      data-faded={faded || undefined}
      aria-rowindex={index + 2}
      tabIndex={current ? 0 : -1}
    >
      <td data-column="tick">
        <Checkbox label={`Select ${name}`} checked={chosen} reachable={current} onToggle={(range) => onToggle(index, range)} />
      </td>
      {columns.map((column) => (
        <td key={column.name} data-column={column.name} data-align={column.align}>
          {column.cell(row, current)}
        </td>
      ))}
    </tr>
  )
}

/** Drawn anew only when something of its own changed: while scrolling nothing is. */
export const TableRow: <Row>(props: TableRowProps<Row>) => ReactNode = memo(Drawn)

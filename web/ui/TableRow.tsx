import { memo, type ReactNode } from 'react'
import { Checkbox } from './Checkbox.tsx'

export type Column<Row> = {
  name: string
  label: string
  /** The label is only for screen readers. */
  labelHidden?: boolean
  sortable?: boolean
  /** The CSS width. Columns without one share the remaining width. */
  cssWidth?: string | undefined
  align?: 'right'
  /** Links and buttons in the cell need `tabIndex` -1 unless `reachable`: Tab stops only in the current row. */
  cell(row: Row, reachable: boolean): ReactNode
}

type TableRowProps<Row> = {
  row: Row
  index: number
  name: string
  columns: readonly Column<Row>[]
  selected: boolean
  /** Shown paler, for example completed tasks. */
  faded: boolean
  /** The cursor is on this row, so Tab stops in it. */
  current: boolean
  onToggle: (index: number, range: boolean) => void
}

function PlainTableRow<Row>({ row, index, name, columns, selected, faded, current, onToggle }: TableRowProps<Row>) {
  return (
    <tr
      data-index={index}
      data-selected={selected || undefined}
      data-faded={faded || undefined}
      aria-rowindex={index + 2}
      tabIndex={current ? 0 : -1}
    >
      <td data-column="checkbox">
        <Checkbox label={`Select ${name}`} checked={selected} reachable={current} onToggle={(range) => onToggle(index, range)} />
      </td>
      {columns.map((column) => (
        <td key={column.name} data-column={column.name} data-align={column.align}>
          {column.cell(row, current)}
        </td>
      ))}
    </tr>
  )
}

/** A row of a virtual table. Memoized, so that scrolling renders no existing row again. */
export const TableRow: <Row>(props: TableRowProps<Row>) => ReactNode = memo(PlainTableRow)

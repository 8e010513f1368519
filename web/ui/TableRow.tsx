import { memo, type ReactNode } from 'react'
import { Checkbox } from './Checkbox.tsx'

export type Column<Row> = {
  name: string
  label: string
  /** Shows the label to screen readers only. */
  labelHidden?: boolean
  sortable?: boolean
  /** The CSS width. Columns without a width share the remaining space. */
  cssWidth?: string | undefined
  align?: 'right'
  /** Renders the cell. Links and buttons need `tabIndex` -1 unless `isInTabOrder`, because Tab stops only in the current row. */
  cell(row: Row, isInTabOrder: boolean): ReactNode
}

type TableRowProps<Row> = {
  row: Row
  index: number
  name: string
  columns: readonly Column<Row>[]
  selected: boolean
  /** Shows the row in pale colours, for example a completed task. */
  isFaded: boolean
  /** True for the row of the cursor. Tab stops in it. */
  current: boolean
  onToggle: (index: number, range: boolean) => void
}

function PlainTableRow<Row>({ row, index, name, columns, selected, isFaded, current, onToggle }: TableRowProps<Row>) {
  return (
    <tr
      data-index={index}
      data-selected={selected || undefined}
      data-faded={isFaded || undefined}
      aria-rowindex={index + 2}
      tabIndex={current ? 0 : -1}
    >
      <td data-column="checkbox">
        <Checkbox label={`Select ${name}`} checked={selected} isInTabOrder={current} onToggle={(range) => onToggle(index, range)} />
      </td>
      {columns.map((column) => (
        <td key={column.name} data-column={column.name} data-align={column.align}>
          {column.cell(row, current)}
        </td>
      ))}
    </tr>
  )
}

/** A row of a virtual table. Memoized, so that scrolling does not render existing rows again. */
export const TableRow: <Row>(props: TableRowProps<Row>) => ReactNode = memo(PlainTableRow)

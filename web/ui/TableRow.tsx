import { memo, type ReactNode } from 'react'
import { Checkbox } from './Checkbox.tsx'

export type Column<Row> = {
  name: string
  label: string
  /** Shows the label to screen readers only. */
  isLabelHidden?: boolean
  isSortable?: boolean
  /** The CSS width. Columns without a width share the remaining space. */
  cssWidth?: string | undefined
  align?: 'right'
  /**
   * Renders the cell. `isInTabOrder` is true only in the current row; in all other rows, links and buttons need `tabIndex` -1, so that Tab
   * skips them.
   */
  cell(row: Row, isInTabOrder: boolean): ReactNode
}

type TableRowProps<Row> = {
  row: Row
  index: number
  /** The name of the row in the label of its checkbox. */
  name: string
  columns: readonly Column<Row>[]
  isSelected: boolean
  /** Shows the row in pale colours, for example if its task is completed. */
  isFaded: boolean
  /** True for the current row, on which shortcuts act. Tab stops only in this row. */
  isCurrent: boolean
  onToggle: (index: number, click: { isShiftHeld: boolean }) => void
}

function PlainTableRow<Row>({ row, index, name, columns, isSelected, isFaded, isCurrent, onToggle }: TableRowProps<Row>) {
  return (
    <tr
      data-index={index}
      data-selected={isSelected || undefined}
      data-faded={isFaded || undefined}
      aria-rowindex={index + 2} // counts from 1, and the header is row 1
      tabIndex={isCurrent ? 0 : -1}
    >
      <td data-column="checkbox">
        <Checkbox label={`Select ${name}`} checked={isSelected} isInTabOrder={isCurrent} onToggle={(click) => onToggle(index, click)} />
      </td>
      {columns.map((column) => (
        <td key={column.name} data-column={column.name} data-align={column.align}>
          {column.cell(row, isCurrent)}
        </td>
      ))}
    </tr>
  )
}

/** A row of a virtual table. Memoized, so that scrolling does not render existing rows again. */
export const TableRow: <Row>(props: TableRowProps<Row>) => ReactNode = memo(PlainTableRow)

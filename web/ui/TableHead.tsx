import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { Column } from './TableRow.tsx'
import { Checkbox } from './Checkbox.tsx'
import classes from './VirtualTable.module.css'

/** The column by which the rows are sorted. `column` can also be the name of an order without a column, such as `newest`. */
export type SortState = { column: string; order: 'asc' | 'desc' } | undefined

type TableHeadProps<Row> = {
  columns: readonly Column<Row>[]
  sortState: SortState
  onSort: (column: string) => void
  /** How many of the loaded rows are selected. */
  selected: 'all' | 'some' | 'none'
  onToggleAll: () => void
  hasRows: boolean
}

/** The header row, with the checkbox for all rows and the sort buttons. */
export function TableHead<Row>({ columns, sortState, onSort, selected, onToggleAll, hasRows }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th data-column="checkbox" scope="col">
          <Checkbox
            label="Select all that are loaded"
            checked={selected === 'all'}
            indeterminate={selected === 'some'}
            disabled={!hasRows}
            onToggle={onToggleAll}
          />
        </th>
        {columns.map((column) => (
          <ColumnHead
            key={column.name}
            column={column}
            order={sortState?.column === column.name ? sortState.order : undefined}
            onSort={onSort}
          />
        ))}
      </tr>
    </thead>
  )
}

/** `order` is undefined if the rows are sorted by another column. */
type ColumnHeadProps<Row> = { column: Column<Row>; order: 'asc' | 'desc' | undefined; onSort: (column: string) => void }

const ariaSorts = { asc: 'ascending', desc: 'descending' } as const

function ColumnHead<Row>({ column: { name, label, isLabelHidden, isSortable, align }, order, onSort }: ColumnHeadProps<Row>) {
  if (!isSortable)
    return (
      <th data-column={name} data-align={align} scope="col">
        <span className={isLabelHidden ? classes['screenReaderOnly'] : undefined}>{label}</span>
      </th>
    )
  const Arrow = order === 'desc' ? IconArrowDown : IconArrowUp
  const ariaSort = order ? ariaSorts[order] : 'none'
  return (
    <th data-column={name} data-align={align} scope="col" aria-sort={ariaSort}>
      <button type="button" className={classes['sort']} onClick={() => onSort(name)}>
        {label}
        <Arrow size={12} stroke={2} aria-hidden data-shown={order !== undefined} />
      </button>
    </th>
  )
}

import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { Column } from './TableRow.tsx'
import { Checkbox } from './Checkbox.tsx'
import classes from './VirtualTable.module.css'

/** The column that the rows are sorted by; undefined when it is not one of the shown columns. */
export type SortState = { column: string; order: 'asc' | 'desc' } | undefined

type TableHeadProps<Row> = {
  columns: readonly Column<Row>[]
  sorted: SortState
  onSort: (column: string) => void
  selected: 'all' | 'some' | 'none'
  onToggleAll: () => void
  hasRows: boolean
}

/** The header row, with the checkbox for all rows and the sort buttons. */
export function TableHead<Row>({ columns, sorted, onSort, selected, onToggleAll, hasRows }: TableHeadProps<Row>) {
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
          <ColumnHead key={column.name} column={column} order={sorted?.column === column.name ? sorted.order : undefined} onSort={onSort} />
        ))}
      </tr>
    </thead>
  )
}

type ColumnHeadProps<Row> = { column: Column<Row>; order: 'asc' | 'desc' | undefined; onSort: (column: string) => void }

function ColumnHead<Row>({ column: { name, label, labelHidden, sortable, align }, order, onSort }: ColumnHeadProps<Row>) {
  if (!sortable)
    return (
      <th data-column={name} data-align={align} scope="col">
        <span className={labelHidden ? classes['screenReaderOnly'] : undefined}>{label}</span>
      </th>
    )
  const Arrow = order === 'desc' ? IconArrowDown : IconArrowUp
  return (
    <th data-column={name} data-align={align} scope="col" aria-sort={order ? (order === 'asc' ? 'ascending' : 'descending') : 'none'}>
      <button type="button" className={classes['sort']} onClick={() => onSort(name)}>
        {label}
        <Arrow size={12} stroke={2} aria-hidden data-shown={order !== undefined} />
      </button>
    </th>
  )
}

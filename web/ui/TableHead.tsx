import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { Column } from './TableRow.tsx'
import { Checkbox } from './Checkbox.tsx'
import classes from './VirtualTable.module.css'

/** The column by which the rows are sorted, and which way; undefined when by none of them. */
export type Sorted = { column: string; order: 'asc' | 'desc' } | undefined

type TableHeadProps<Row> = {
  columns: readonly Column<Row>[]
  sorted: Sorted
  onSort: (column: string) => void
  chosen: 'all' | 'some' | 'none'
  onChoose: () => void
  /** Are there rows to choose? */
  choosable: boolean
}

export function TableHead<Row>({ columns, sorted, onSort, chosen, onChoose, choosable }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th data-column="tick" scope="col">
          <Checkbox
            label="Select all that are loaded"
            checked={chosen === 'all'}
            some={chosen === 'some'}
            disabled={!choosable}
            onToggle={onChoose}
          />
        </th>
        {columns.map((column) => (
          <Head key={column.name} column={column} order={sorted?.column === column.name ? sorted.order : undefined} onSort={onSort} />
        ))}
      </tr>
    </thead>
  )
}

type HeadProps<Row> = { column: Column<Row>; order: 'asc' | 'desc' | undefined; onSort: (column: string) => void }

function Head<Row>({ column: { name, label, labelHidden, sortable, align }, order, onSort }: HeadProps<Row>) {
  if (!sortable)
    return (
      <th data-column={name} data-align={align} scope="col">
        <span className={labelHidden ? classes['unseen'] : undefined}>{label}</span>
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

import type { ReactNode } from 'react'
import { createStore } from './store.ts'

export type PrintedTableProps<Row extends { id: string }> = {
  /** The name of the rows: "Contacts". */
  label: string
  columns: readonly {
    name: string
    label: string
    align?: 'right'
    cssWidth?: string | undefined
    cell: (row: Row, isInTabOrder: boolean) => ReactNode
  }[]
  /** The loaded rows. */
  rows: readonly Row[]
  /** The number of all rows; undefined while it is unknown. */
  total: number | undefined
}

/**
 * While the page is printed: the function that renders all loaded rows of a list, because the screen renders only the visible rows. It is
 * undefined at other times. The list on the screen has the attribute `data-virtual` and is not printed, so that no row is printed twice.
 */
export const printedTableRenderer = createStore<(<Row extends { id: string }>(props: PrintedTableProps<Row>) => ReactNode) | undefined>(
  undefined,
)

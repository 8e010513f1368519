import { useMediaQuery } from '@mantine/hooks'
import { createElement } from 'react'
import { fieldOf, labelOf, type ListColumn, type RecordKind } from '#web/records/kind/kind.ts'
import { TitleCell, valueCell } from './cells.tsx'

/** `phone`, or the largest of 0, 1024 and 1200 px that the window reaches. Columns appear from one of these widths on. */
type WindowWidth = 'phone' | number
const narrowStep = 1024
const steps = [1200, narrowStep] as const
/** Below 1024 px the sidebar shows only icons, so from 816 px on a list is as wide as at 1024 px. Touch screens need 40 px for the menu of a row. */
const narrowStepQuery = '(min-width: 816px) and (hover: hover), (min-width: 856px)'
const readImmediately = { getInitialValueInEffect: false }

export function useWindowWidth(): WindowWidth {
  const isPhone = useMediaQuery('(max-width: 767px)', false, readImmediately)
  const isWide = useMediaQuery(`(min-width: ${steps[0]}px)`, true, readImmediately)
  const isMedium = useMediaQuery(narrowStepQuery, true, readImmediately)
  if (isPhone) return 'phone'
  return isWide ? steps[0] : isMedium ? steps[1] : 0
}

/** The visible columns, in the order of the kind: those that the user has selected, or else those that fit. A phone shows only the first column. */
export function shownColumns<Row extends { id: string }>(
  kind: RecordKind<Row>,
  chosen: readonly string[] | undefined,
  width: WindowWidth,
): readonly ListColumn<Row>[] {
  if (width === 'phone') return [titleColumn(kind, true)]
  const shown = otherColumns(kind).filter(({ name, from = 0 }) => (chosen ? chosen.includes(name) : from !== 'never' && from <= width))
  return [titleColumn(kind, false), ...shown].map((column, index) => ({
    ...column,
    cssWidth: cssWidth(column, width === narrowStep, index === 0),
  }))
}

const titleColumn = <Row extends { id: string }>(kind: RecordKind<Row>, isPhone: boolean): ListColumn<Row> => ({
  name: kind.titleColumn,
  label: labelOf(kind, kind.titleColumn),
  sortable: true,
  ...(kind.titleCell.width && { width: kind.titleCell.width }),
  cell: (row, reachable) => createElement(TitleCell<Row>, { kind, row, isPhone, reachable }),
})

/** The columns that the user can show and hide. */
export const otherColumns = <Row extends { id: string }>(kind: RecordKind<Row>): readonly ListColumn<Row>[] =>
  kind.columns.map((column) => ({
    label: labelOf(kind, column.name),
    sortable: kind.sorts.some(({ name }) => name === column.name),
    cell: (row, reachable) => valueCell(row, column.name, fieldOf(kind, column.name), reachable),
    ...column,
  }))

/** The names of the columns that are shown by default if they fit. */
export const defaultColumns = <Row extends { id: string }>({ columns }: RecordKind<Row>): string[] =>
  columns.filter(({ from }) => from !== 'never').map(({ name }) => name)

type ColumnWidth = { width?: number; fixedWidth?: boolean }

/** Factors of the column widths between 1024 and 1200 px. */
const narrowFactors = { title: 0.9, others: 0.76 }
const minWidthOfRest = '120px'

/** Returns undefined for a column that shares the remaining width. */
function cssWidth({ width, fixedWidth = false }: ColumnWidth, isNarrow: boolean, isFirst: boolean): string | undefined {
  if (width === undefined) return undefined
  const factor = !isNarrow || fixedWidth ? 1 : isFirst ? narrowFactors.title : narrowFactors.others
  return `${Math.round(width * factor)}px`
}

/** The width of all columns and the checkbox, below which the table scrolls horizontally. */
export const minTableWidth = (columns: readonly { cssWidth?: string | undefined }[]): string =>
  `calc(48px + ${columns.map((column) => column.cssWidth ?? minWidthOfRest).join(' + ')})`

import { useMediaQuery } from '@mantine/hooks'
import { createElement } from 'react'
import { fieldOf, labelOf, type ListColumn, type RecordKind } from '#web/records/kind/kind.ts'
import { TitleCell, valueCell } from './cells.tsx'

/** The window widths at which a list shows other columns: 0, 1024 or 1200 px, or `phone`. */
type WindowWidth = 'phone' | number
const narrowStep = 1024
const steps = [1200, narrowStep] as const
/** Below 1024 px the sidebar shows icons only, so a list has as much room from here on. A touch screen needs room for a menu in each row. */
const narrowStepQuery = '(min-width: 816px) and (hover: hover), (min-width: 856px)'
const readImmediately = { getInitialValueInEffect: false }

export function useWindowWidth(): WindowWidth {
  const isPhone = useMediaQuery('(max-width: 767px)', false, readImmediately)
  const isWide = useMediaQuery(`(min-width: ${steps[0]}px)`, true, readImmediately)
  const isMedium = useMediaQuery(narrowStepQuery, true, readImmediately)
  if (isPhone) return 'phone'
  return isWide ? steps[0] : isMedium ? steps[1] : 0
}

/** The columns that are shown: those that a person chose, in the order of the kind, else those that have room. On a phone the first one. */
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

/** The columns that a person can show and hide. */
export const otherColumns = <Row extends { id: string }>(kind: RecordKind<Row>): readonly ListColumn<Row>[] =>
  kind.columns.map((column) => ({
    label: labelOf(kind, column.name),
    sortable: kind.sorts.some(({ name }) => name === column.name),
    cell: (row, reachable) => valueCell(row, column.name, fieldOf(kind, column.name), reachable),
    ...column,
  }))

/** The names of the columns that are shown by default where there is room. */
export const defaultColumns = <Row extends { id: string }>({ columns }: RecordKind<Row>): string[] =>
  columns.filter(({ from }) => from !== 'never').map(({ name }) => name)

type ColumnWidth = { width?: number; fixedWidth?: boolean }

/** The parts of their widths that columns have between 1024 and 1200 px. */
const narrow = { title: 0.9, others: 0.76 }
const minWidthOfRest = '120px'

/** Undefined: the column shares the rest. */
function cssWidth({ width, fixedWidth = false }: ColumnWidth, isNarrow: boolean, isFirst: boolean): string | undefined {
  if (width === undefined) return undefined
  const part = !isNarrow || fixedWidth ? 1 : isFirst ? narrow.title : narrow.others
  return `${Math.round(width * part)}px`
}

/** The width below which a table scrolls sideways: all columns and the checkbox. */
export const minTableWidth = (columns: readonly { cssWidth?: string | undefined }[]): string =>
  `calc(48px + ${columns.map((column) => column.cssWidth ?? minWidthOfRest).join(' + ')})`

import { useMediaQuery } from '@mantine/hooks'
import { createElement } from 'react'
import { getField, getLabel, type ListColumn, type RecordKind } from '#web/records/kind/kind.ts'
import { TitleCell, renderValueCell } from './cells.tsx'

/** In px. */
const mediumWidth = 1024
/** In px. */
const wideWidth = 1200
/**
 * `phone` for a window as narrow as a phone. Otherwise the largest of the widths 0, `mediumWidth` and `wideWidth` for which the window has
 * enough space. Columns with a greater `minWindowWidth` are hidden.
 */
type WindowWidth = 'phone' | number
/**
 * Matches windows that count as `mediumWidth` or wider. Windows from 816 px on match: below 1024 px the sidebar shows only icons, so a list
 * has as much space in a window of 816 px as in a window of 1024 px. Touch screens need 40 px more, because they always show the button of
 * the row menu.
 */
const mediumQuery = '(min-width: 816px) and (hover: hover), (min-width: 856px)'
const readImmediately = { getInitialValueInEffect: false }

/** Returns the width of the window, also after it has changed. */
export function useWindowWidth(): WindowWidth {
  const isPhone = useMediaQuery('(max-width: 767px)', false, readImmediately)
  const isWide = useMediaQuery(`(min-width: ${wideWidth}px)`, true, readImmediately)
  const isMedium = useMediaQuery(mediumQuery, true, readImmediately)
  if (isPhone) return 'phone'
  if (isWide) return wideWidth
  return isMedium ? mediumWidth : 0
}

/**
 * Returns the visible columns in the order of the kind. These are the columns that the user has selected, or else those that fit in the
 * window. A phone shows only the first column.
 */
export function getVisibleColumns<Row extends { id: string }>(
  kind: RecordKind<Row>,
  selectedNames: readonly string[] | undefined,
  width: WindowWidth,
): readonly ListColumn<Row>[] {
  if (width === 'phone') return [createTitleColumn(kind, { isPhone: true })]
  const isVisible = ({ name, minWindowWidth = 0, isHiddenByDefault = false }: ListColumn<Row>): boolean => {
    if (selectedNames) return selectedNames.includes(name)
    return !isHiddenByDefault && minWindowWidth <= width
  }
  return [createTitleColumn(kind, { isPhone: false }), ...getOptionalColumns(kind).filter(isVisible)].map((column, index) => {
    const mediumFactor = index === 0 ? mediumWindowFactors.title : mediumWindowFactors.others
    return { ...column, cssWidth: getCssWidth(column, width === mediumWidth ? mediumFactor : 1) }
  })
}

/**
 * The columns on paper: those that the user has selected, or else those of a wide window. The window width is not used, because during
 * printing browsers report the width of the paper instead.
 */
export const getPrintedColumns = <Row extends { id: string }>(kind: RecordKind<Row>, selectedNames: readonly string[] | undefined) =>
  getVisibleColumns(kind, selectedNames, wideWidth)

const createTitleColumn = <Row extends { id: string }>(kind: RecordKind<Row>, { isPhone }: { isPhone: boolean }): ListColumn<Row> => ({
  name: kind.titleColumn,
  label: getLabel(kind, kind.titleColumn),
  isSortable: true,
  ...(kind.titleCell.width && { width: kind.titleCell.width }),
  cell: (row, isInTabOrder) => createElement(TitleCell<Row>, { kind, row, isPhone, isInTabOrder }),
})

/** All columns except the first. The user can show and hide them. */
export const getOptionalColumns = <Row extends { id: string }>(kind: RecordKind<Row>): readonly ListColumn<Row>[] =>
  kind.columns.map((column) => ({
    label: getLabel(kind, column.name),
    isSortable: kind.sorts.some(({ name }) => name === column.name),
    cell: (row, isInTabOrder) => renderValueCell(row, column.name, getField(kind, column.name), isInTabOrder),
    ...column,
  }))

/** The names of the columns that are shown by default if they fit. */
export const getDefaultColumnNames = <Row extends { id: string }>({ columns }: RecordKind<Row>): string[] =>
  columns.filter(({ isHiddenByDefault }) => !isHiddenByDefault).map(({ name }) => name)

type ColumnWidth = { width?: number; hasFixedWidth?: boolean }

/** In medium windows the column widths are multiplied by these factors, so that more columns fit. */
const mediumWindowFactors = { title: 0.9, others: 0.76 }
const defaultMinWidth = '120px'
const checkboxWidth = '48px'

/** Returns undefined for a column that shares the remaining width. */
function getCssWidth({ width, hasFixedWidth = false }: ColumnWidth, factor: number): string | undefined {
  if (width === undefined) return undefined
  return `${Math.round(width * (hasFixedWidth ? 1 : factor))}px`
}

/** Returns the CSS width below which the table scrolls horizontally: the sum of the widths of the checkbox and the columns. */
export const getMinTableWidth = (columns: readonly { cssWidth?: string | undefined }[]): string =>
  `calc(${[checkboxWidth, ...columns.map((column) => column.cssWidth ?? defaultMinWidth)].join(' + ')})`

import { useMediaQuery } from '@mantine/hooks'
import type { ListColumn, ListKind } from '#web/records/kind/kind.ts'

/** How much room there is: the widths at which lists look different. */
type WindowWidth = 'phone' | number
const narrowStep = 1024
const steps = [1200, narrowStep] as const
/** Below 1024 the sidebar is a rail of icons: from here on that leaves as much room as the whole one does above. Fingers have a menu in each row. */
const roomOfNarrowStep = '(min-width: 816px) and (hover: hover), (min-width: 856px)'
const atOnce = { getInitialValueInEffect: false }

/** The widest of the steps that the window reaches; 0 below all of them; `phone` where a row is a card. */
export function useWindowWidth(): WindowWidth {
  const isPhone = useMediaQuery('(max-width: 767px)', false, atOnce)
  const isWide = useMediaQuery(`(min-width: ${steps[0]}px)`, true, atOnce)
  const isMiddling = useMediaQuery(roomOfNarrowStep, true, atOnce)
  if (isPhone) return 'phone'
  return isWide ? steps[0] : isMiddling ? steps[1] : 0
}

/** The columns to draw: those that somebody chose in the kind's order, else those that usually have room. On a phone the first alone. */
export function shownColumns<Row extends { id: string }>(
  { columns }: ListKind<Row>,
  chosen: readonly string[] | undefined,
  width: WindowWidth,
): readonly ListColumn<Row>[] {
  const all = columns(width === 'phone')
  const shown = all.filter(({ name, from = 0 }, index) => {
    if (index === 0) return true
    if (width === 'phone') return false
    return chosen ? chosen.includes(name) : from !== 'never' && from <= width
  })
  if (width === 'phone') return shown
  return shown.map((column, index) => ({ ...column, cssWidth: cssWidth(column, width === narrowStep, index === 0) }))
}

/** The names of the columns that are shown when nobody chose any and there is room. */
export const usualColumns = <Row extends { id: string }>({ columns }: ListKind<Row>): string[] =>
  columns(false)
    .filter(({ from }) => from !== 'never')
    .map(({ name }) => name)

type Sized = { width?: number; firm?: boolean }

/** Between these window widths the full sidebar leaves little room: columns get narrower, the name the least. */
const narrow = { name: 0.9, others: 0.76 }
const leastOfRest = '120px'

/** What a column takes as CSS has it; undefined shares the rest. */
export function cssWidth({ width, firm = false }: Sized, isNarrow: boolean, isFirst: boolean): string | undefined {
  if (width === undefined) return undefined
  const part = !isNarrow || firm ? 1 : isFirst ? narrow.name : narrow.others
  return `${Math.round(width * part)}px`
}

/** What all columns and the box before them take at least; a table that has less scrolls sideways. */
export const leastWidth = (columns: readonly { cssWidth?: string | undefined }[]): string =>
  `calc(48px + ${columns.map((column) => column.cssWidth ?? leastOfRest).join(' + ')})`

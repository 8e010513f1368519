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

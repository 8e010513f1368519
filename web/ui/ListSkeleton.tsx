import classes from './ListSkeleton.module.css'

type ListSkeletonProps = {
  /** The number of rows. */
  rows?: number
  /** The height of a row in px. */
  height?: number
  /** Widths of the columns after the first one, in px. */
  columns?: readonly number[]
}

/** In px. */
const firstColumnWidth = 150
/** The widths of the bars, as fractions of a column. They repeat from row to row in another order, so that the rows look different. */
const barWidths = [0.78, 0.56, 0.9, 0.64, 0.72, 0.5, 0.84]

/** A placeholder for a list that is loading, with rows of the final height. */
export function ListSkeleton({ rows = 12, height = 40, columns = [160, 110] }: ListSkeletonProps) {
  return (
    <output className={classes['rows']} aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className={classes['row']} style={{ minHeight: height }}>
          <span className={classes['round']} />
          {[firstColumnWidth, ...columns].map((column, index) => (
            <span key={`${index}-${column}`} className={classes['cell']} style={{ width: column }}>
              <span className={classes['bar']} style={{ width: column * (barWidths[(row + index * 3) % barWidths.length] ?? 1) }} />
            </span>
          ))}
        </span>
      ))}
    </output>
  )
}

import type { ReactNode } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { describeError } from '#web/lib/toasts.ts'
import classes from './ShortRecordList.module.css'

type ShortRecordListProps<Row extends { id: string }> = {
  /** The name of the records: "deals". */
  plural: string
  result: UseQueryResult<{ rows: readonly Row[]; next: string | null }>
  /** A link to the list of all these records. It is shown if there are more records than rows. */
  linkToAll: ReactNode
  /** Renders a row. */
  children: (row: Row) => ReactNode
}

/** A list of the first few linked records in a panel. Also shows that the records are being loaded, could not be loaded or do not exist. */
export function ShortRecordList<Row extends { id: string }>({ plural, result, linkToAll, children }: ShortRecordListProps<Row>) {
  const { data, error } = result
  if (!data && error)
    return (
      <p className={classes['none']} role="alert">
        The {plural} could not be loaded. {describeError(error)}{' '}
        <Button variant="default" size="compact-xs" onClick={() => void result.refetch()}>
          Try again
        </Button>
      </p>
    )
  if (!data) return <output className={classes['waiting']} aria-label="Loading" />
  if (data.rows.length === 0) return <p className={classes['none']}>No {plural} yet.</p>
  return (
    <>
      <ul className={classes['rows']}>
        {data.rows.map((row) => (
          <li key={row.id}>{children(row)}</li>
        ))}
      </ul>
      {data.next !== null && <span className={classes['linkToAll']}>{linkToAll}</span>}
    </>
  )
}

/** The content at the right end of a row. In a narrow panel the name of the record is truncated and this content is not. */
export const RowEnd = ({ children }: { children: ReactNode }) => <span className={classes['rowEnd']}>{children}</span>

import type { ReactNode } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { describeError } from '#web/lib/toasts.ts'
import classes from './FewRecords.module.css'

type FewRecordsProps<Row extends { id: string }> = {
  /** "deals" */
  plural: string
  result: UseQueryResult<{ rows: readonly Row[]; next: string | null }>
  /** The link to the list of all these records. */
  all: ReactNode
  /** Renders a row. */
  children: (row: Row) => ReactNode
}

/** The first few linked records in a panel, with the loading, failed and empty states. */
export function FewRecords<Row extends { id: string }>({ plural, result, all, children }: FewRecordsProps<Row>) {
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
        {data.rows.map((each) => (
          <li key={each.id}>{children(each)}</li>
        ))}
      </ul>
      {data.next !== null && <span className={classes['all']}>{all}</span>}
    </>
  )
}

/** The content at the right end of a row. */
export const RowEnd = ({ children }: { children: ReactNode }) => <span className={classes['beside']}>{children}</span>

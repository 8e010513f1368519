import { Button } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { importRoutes, type Import, type ImportRow, type ImportRowReason, type ImportRowStatus } from '#contract/imports.ts'
import { addressOf } from '#web/lib/client.ts'
import { formatCount, formatNumber } from '#web/lib/format.ts'
import { openImport } from '#web/lib/importDialog.ts'
import { startDownload } from '#web/lib/startDownload.ts'
import { describeError } from '#web/lib/toasts.ts'
import { ChoiceSwitch } from '#web/ui/ChoiceSwitch.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { importRowsQuery } from '../queries.ts'
import classes from './RowReports.module.css'

/**
 * The rows of an import that failed or were skipped, with the reasons, and what the user can do about them. Imported rows have remarks on
 * cells that are not stored in their fields.
 */
export function RowReports({ details }: { details: Import }) {
  const { id, kind, failed, skipped, with_remarks: withRemarks, status: importStatus } = details
  const [chosen, setChosen] = useState<ImportRowStatus>()
  const choices = [
    { value: 'failed', label: `Failed (${formatNumber(failed)})`, count: failed },
    { value: 'remark', label: `Remarks (${formatNumber(withRemarks)})`, count: withRemarks },
    { value: 'skipped', label: `Skipped (${formatNumber(skipped)})`, count: skipped },
  ] as const
  const shownChoices = choices.filter(({ count }) => count > 0)
  const [first] = shownChoices
  if (!first) return null
  const status = chosen ?? first.value
  return (
    <section className={classes['reports']} aria-labelledby="row-reports">
      <div className={classes['head']}>
        <h2 id="row-reports">{getReportHeading(status, details)}</h2>
        {shownChoices.length > 1 && <ChoiceSwitch label="Rows" choices={shownChoices} value={status} onChange={setChosen} />}
      </div>
      {failed > 0 && importStatus !== 'running' && (
        <div className={classes['buttons']}>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.75} />}
            onClick={() => startDownload(addressOf(importRoutes.failedRows, { params: { id } }), 'failed-rows.csv')}
          >
            Download failed rows
          </Button>
          <Button variant="subtle" leftSection={<IconUpload size={16} stroke={1.75} />} onClick={() => openImport(kind)}>
            Import the corrected file
          </Button>
          <p>Correct the failed rows in the downloaded file and import that file. {describeOtherRows(details)}</p>
        </div>
      )}
      <RowList key={status} id={id} status={status} />
    </section>
  )
}

function getReportHeading(status: ImportRowStatus, { failed, skipped, with_remarks: withRemarks }: Import): string {
  if (status === 'failed') return `Why ${formatCount(failed, 'row')} failed`
  if (status === 'skipped') return `Why ${formatCount(skipped, 'row')} ${skipped === 1 ? 'was' : 'were'} skipped`
  return `Remarks on ${formatCount(withRemarks, 'imported row')}`
}

/** Says what happened to the rows that are not in the file of the failed rows. */
function describeOtherRows({ status, undone, rows_done: done, rows_total: total }: Import): string {
  const isComplete = status === 'finished' || done === total
  if (isComplete && !undone) return 'The other rows were imported or skipped.'
  const missing = [...(undone ? ['taken back'] : []), ...(isComplete ? [] : ['not read'])]
  return `The downloaded file does not have the rows that were ${missing.join(' or ')}.`
}

function RowList({ id, status }: { id: string; status: ImportRowStatus }) {
  const rows = useInfiniteQuery(importRowsQuery(id, status))
  if (rows.isPending) return <ListSkeleton rows={4} height={48} columns={[220]} />
  if (!rows.data)
    return (
      <FailedState
        title="The rows could not be loaded"
        reason={describeError(rows.error)}
        onRetry={() => void rows.refetch()}
        isRetrying={rows.isFetching}
      />
    )
  return (
    <>
      <Reasons reasons={rows.data.pages[0]?.reasons ?? []} />
      <ul className={classes['rows']}>{rows.data.pages.flatMap((page) => page.rows.map((row) => <RowReport key={row.id} row={row} />))}</ul>
      {rows.hasNextPage && (
        <Button variant="subtle" loading={rows.isFetchingNextPage} onClick={() => void rows.fetchNextPage()}>
          Show more rows
        </Button>
      )}
    </>
  )
}

/** The number of rows of each reason. Shows nothing for a single reason, because every row shows it. */
function Reasons({ reasons }: { reasons: readonly ImportRowReason[] }) {
  if (reasons.length < 2) return null
  return (
    <ul className={classes['reasons']} aria-label="Rows by reason">
      {reasons.map(({ column, reason, count }) => (
        <li key={`${column} ${reason}`}>
          <span className={classes['count']}>{formatCount(count, 'row')}</span>
          <span className={classes['reason']}>
            <Column column={column} />
            {reason}
          </span>
        </li>
      ))}
    </ul>
  )
}

const Column = ({ column }: { column: string }) =>
  column && (
    <span className={classes['column']} dir="auto">
      {column}:{' '}
    </span>
  )

/** Limits of a shown row: its cells, and the characters of its tooltip, because a cell may have a megabyte. */
const [maxShownCells, maxTitleLength] = [6, 2000]

const RowReport = ({ row: { line, column, reason, cells } }: { row: ImportRow }) => {
  const filledCells = cells.filter((cell) => cell.trim() !== '').map((cell) => cell.slice(0, maxTitleLength))
  return (
    <li className={classes['row']}>
      <span className={classes['line']}>Line {formatNumber(line)}</span>
      <span className={classes['reason']}>
        <Column column={column} />
        {reason}
      </span>
      <span className={classes['cells']} dir="auto" title={filledCells.join(' · ').slice(0, maxTitleLength)}>
        {filledCells.slice(0, maxShownCells).join(' · ')}
      </span>
    </li>
  )
}

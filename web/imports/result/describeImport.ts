import type { Import } from '#contract/imports.ts'
import { formatCount, formatNumber } from '#web/lib/format.ts'

/** Formats the progress of an import: "738 of 1,210 rows". */
export const describeProgress = ({ rows_done: done, rows_total: total }: Pick<Import, 'rows_done' | 'rows_total'>): string =>
  total === null ? `${formatCount(done, 'row')} so far` : `${formatNumber(done)} of ${formatCount(total, 'row')}`

/** Formats the result of an import as a short line: "1,916 in, 37 failed". */
export function describeResult(summary: Import): string {
  const { status, created, updated, skipped, failed, with_remarks: withRemarks, undone, kept, problem } = summary
  if (status === 'uploaded') return 'Not started'
  if (status === 'running') return describeProgress(summary)
  if (status === 'finished' && summary.rows_done === 0) return 'No rows'
  const others = [...nonZero(skipped, 'skipped'), ...nonZero(failed, 'failed')]
  // rows and not records, because several rows can be about one record
  if (undone) {
    const takenBack = formatCount(Math.max(0, created + updated - kept), 'row')
    return [`Undone, ${takenBack} taken back`, ...nonZero(kept, 'kept'), ...others].join(', ')
  }
  const counts = [`${formatNumber(created + updated)} in`, ...nonZero(withRemarks, 'with remarks'), ...others].join(', ')
  if (status === 'stopped') return `Stopped, ${counts}`
  if (status === 'failed') return problem || `Stopped with an error, ${counts}`
  return counts
}

const nonZero = (count: number, label: string): string[] => (count > 0 ? [`${formatNumber(count)} ${label}`] : [])

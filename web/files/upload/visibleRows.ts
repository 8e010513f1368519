import { formatNumber } from '#web/lib/format.ts'
import type { UploadItem } from './uploadList.ts'

/** If fewer uploads than this are failed, unfinished, running or paused, other uploads fill the panel up to this number of rows. */
const minRows = 5
/** The maximum number of paused uploads. */
const maxPaused = 3
/** The maximum number of failed and of unfinished uploads. It is high, because the user must do something about them. */
const maxNeedingUser = 50

/**
 * Chooses the uploads that the panel shows: the failed and unfinished ones, the running and paused ones, the last one that is done, and
 * others. The others include uploads whose name is taken, because a dialog asks the user about those.
 */
export function chooseRows(items: readonly UploadItem[]): UploadItem[] {
  const withStatus = (...statuses: UploadItem['status'][]): UploadItem[] => items.filter(({ status }) => statuses.includes(status))
  const done = withStatus('done').toReversed()
  const rows = [
    ...withStatus('failed').slice(0, maxNeedingUser),
    ...withStatus('unfinished').slice(0, maxNeedingUser),
    ...withStatus('running'),
    ...withStatus('paused').slice(0, maxPaused),
  ]
  const others = [...done.slice(0, 1), ...withStatus('waiting', 'preparing', 'asking'), ...done.slice(1)]
  return [...rows, ...others.slice(0, Math.max(1, minRows - rows.length))]
}

const summaryTexts: Partial<Record<UploadItem['status'], string>> = {
  preparing: 'waiting',
  asking: 'waiting',
  waiting: 'waiting',
  running: 'running',
  paused: 'paused',
  failed: 'failed',
  unfinished: 'not finished',
  done: 'done',
}

/** Describes the uploads that are not shown as rows: "59 more: 42 waiting, 17 done". Returns an empty text when there are none. */
export function describeOthers(items: readonly UploadItem[], rows: readonly UploadItem[]): string {
  const shown = new Set(rows)
  const others = items.filter((item) => !shown.has(item))
  if (others.length === 0) return ''
  const counts = new Map<string, number>()
  for (const { status } of others) counts.set(summaryTexts[status] ?? '', (counts.get(summaryTexts[status] ?? '') ?? 0) + 1)
  const order = [...new Set(Object.values(summaryTexts))].filter((text) => counts.has(text))
  return `${formatNumber(others.length)} more: ${order.map((text) => `${formatNumber(counts.get(text) ?? 0)} ${text}`).join(', ')}`
}

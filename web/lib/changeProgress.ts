// Toasts for slow work: a response that takes more than three seconds, and a change that a job on the server continues after the response.
import { changeRoutes, type Change } from '#contract/changes.ts'
import { call, ProblemError } from './client.ts'
import { formatNumber } from './format.ts'
import { everyTable, refreshTables } from './queries.ts'
import { dismissToast, setToastMessage, showLastingToast, toast, toastError, type Toast } from './toasts.ts'
import { removeUndoChange } from './undoSteps.ts'

type Notice = Pick<Toast, 'title' | 'message' | 'action' | 'changeId'>

/** The time after which a toast shows what the page is waiting for. */
const noticeMs = 3000

/** Returns the result of `work`. If `work` takes longer than three seconds, shows a toast until it ends. */
export async function withNotice<T>(work: Promise<T>, describe: () => Notice): Promise<T> {
  let shownId: number | undefined
  const timer = setTimeout(() => {
    shownId = showLastingToast(describe())
  }, noticeMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
    if (shownId !== undefined) dismissToast(shownId)
  }
}

const pollMs = 500

/** `unit` is what the progress counts: records, or the parts into which the server divides the job. */
type ProgressNotice = Pick<Notice, 'title' | 'changeId'> & { unit: 'record' | 'part' }

/** Waits until the job of a change has finished or failed, and shows its progress in a toast. Returns at once if the change has no job. */
export async function waitUntilFinished(response: Change, { unit, ...notice }: ProgressNotice): Promise<Change> {
  let change = response
  let shownId: number | undefined
  try {
    while (change.progress && !change.progress.finished && !change.progress.failed) {
      const message = describeProgress(change.progress, unit)
      if (shownId === undefined) shownId = showLastingToast({ ...notice, message })
      else setToastMessage(shownId, message)
      await new Promise((resolve) => setTimeout(resolve, pollMs))
      change = await readAgain(change)
    }
    return change
  } finally {
    if (shownId !== undefined) dismissToast(shownId)
  }
}

/** Reads the change again; after a temporary error returns it as it was, so that the next poll tries again. */
const readAgain = (change: Change): Promise<Change> =>
  call(changeRoutes.get, { params: { id: change.id } }).catch((error: unknown) => {
    if (error instanceof ProblemError && isPermanent(error.problem)) throw error
    return change
  })

/** Returns true for an error that a retry cannot remove. After `record_quota_exceeded` the user can make space and try again. */
export const isPermanent = ({ status, code }: ProblemError['problem']): boolean =>
  status >= 400 && status < 500 && status !== 429 && code !== 'record_quota_exceeded'

type FollowOptions = { runningTitle?: string; doneTitle: string; message?: string; unit?: ProgressNotice['unit'] }

/**
 * Shows the progress of a change that a job continues, and then a toast with Undo. `runningTitle` is the title while the job runs.
 * `doneTitle` and `message` belong to the toast with Undo. Called through `followChange` in `undo.ts`, which loads this code.
 */
export async function followChange(changeId: string, { runningTitle, doneTitle, message, unit = 'record' }: FollowOptions): Promise<void> {
  try {
    const response = await call(changeRoutes.get, { params: { id: changeId } })
    const title = runningTitle ?? response.label
    const { undone, progress } = await waitUntilFinished(response, { title, changeId, unit })
    if (undone) return // the user has undone the change meanwhile, and the undo shows its own toast
    if (progress?.failed) toast({ kind: 'error', title: `${title}: stopped`, message: describeProgress(progress, unit), changeId })
    else toast({ kind: 'success', title: doneTitle, message, changeId })
  } catch (error) {
    removeUndoChange(changeId)
    toastError(error)
  } finally {
    void refreshTables([everyTable])
  }
}

/** Formats progress: "34,000 of 100,001 records". */
const describeProgress = ({ done, total }: NonNullable<Change['progress']>, unit: ProgressNotice['unit']): string =>
  total === null ? `${formatNumber(done)} ${unit}s` : `${formatNumber(done)} of ${formatNumber(total)} ${unit}s`

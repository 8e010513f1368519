import { changeRoutes, type Change, SkippedReason } from '#contract/changes.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { call, callForChange, ProblemError, waitForWrites } from './client.ts'
import { formatCount } from './format.ts'
import { queries } from './queries.ts'
import { describeError, dismissToasts, toast, toastError } from './toasts.ts'
import { addEntry, findEntry, findNewestEntry, removeEntry, type StackName, type UndoEntry } from './undoHistory.ts'

type EntryToUndo = Pick<UndoEntry, 'changeId' | 'label'>

/** Undoes this change. */
export const undoOne = (changeId: string, label = findEntry(changeId)?.label ?? 'the change'): Promise<void> =>
  runInOrder(() => run({ changeId, label }, 'undoable').catch(toastError))

/** Undoes the newest change of this browser that can be undone. */
export const undoNewest = (): Promise<void> => runInOrder(() => runNewest('undoable', 'Nothing to undo'))

/** Redoes the change that was undone last. */
export const redoNewest = (): Promise<void> => runInOrder(() => runNewest('redoable', 'Nothing to redo'))

let lastRun: Promise<void> = Promise.resolve()

/** Runs an undo or redo after all running writes and all earlier undos and redos have finished. */
function runInOrder(work: () => Promise<void>): Promise<void> {
  lastRun = lastRun.then(waitForWrites).then(work)
  return lastRun
}

/** The errors of a change that is no longer there to be undone. */
const goneCodes: readonly (ErrorCode | 'offline')[] = ['already_undone', 'too_old', 'nothing_left', 'not_found']

/** Undoes or redoes the newest change of the stack. Skips changes that are gone, and says why. */
async function runNewest(stack: StackName, emptyTitle: string): Promise<void> {
  const skippedReasons = new Set<string>()
  for (let entry = findNewestEntry(stack); entry; entry = findNewestEntry(stack)) {
    try {
      return await run(entry, stack)
    } catch (error) {
      if (!(error instanceof ProblemError) || !goneCodes.includes(error.problem.code)) return toastError(error)
      if (!skippedReasons.has(error.message)) toast({ kind: 'info', title: entry.label, message: describeError(error) })
      skippedReasons.add(error.message)
    }
  }
  toast({ kind: 'info', title: emptyTitle })
}

/** Undoes or redoes a change, shows the result, and stores the new change in the other stack. Throws `ProblemError`. */
async function run(entry: EntryToUndo, stack: StackName): Promise<void> {
  const [verb, otherStack] = stack === 'undoable' ? (['Undone', 'redoable'] as const) : (['Redone', 'undoable'] as const)
  const newChangeId = await undoOnServer(entry, `${verb}: ${entry.label}`)
  addEntry(otherStack, newChangeId, entry.label)
}

/**
 * Undoes a change and returns the id of the new change. After a network error, a 429 or a 5xx the change can be undone again. Throws
 * `ProblemError`.
 */
async function undoOnServer(entry: EntryToUndo, title: string): Promise<string> {
  const { changeId } = entry
  try {
    const { response, changeId: newChangeId } = await callForChange(changeRoutes.undo, { params: { id: changeId } })
    forget(changeId)
    const { skipped_counts, progress } = await waitUntilFinished(response)
    const message = describeSkipped(skipped_counts)
    if (progress?.failed)
      toast({
        kind: 'error',
        title: 'Undo stopped',
        message: `${progress.done} of ${progress.total} parts were undone.`,
        // the server then continues the same undo
        action: { label: 'Try again', run: () => void runInOrder(() => undoOnServer(entry, title).then(() => undefined, toastError)) },
      })
    else toast({ kind: message ? 'info' : 'success', title, message })
    void queries.invalidateQueries() // not awaited, so that a redo does not wait for the refetch
    return newChangeId ?? response.id
  } catch (error) {
    if (error instanceof ProblemError && isPermanent(error.problem)) forget(changeId)
    throw error
  }
}

/** Removes a change that cannot be undone any more, with its toast. */
function forget(changeId: string): void {
  removeEntry(changeId)
  dismissToasts((each) => each.changeId === changeId)
}

const pollMs = 500

/** Waits until the undo has finished or failed. The undo of a change group runs as a job on the server, so its progress is polled. */
async function waitUntilFinished(response: Change): Promise<Change> {
  let change = response
  while (change.progress && !change.progress.finished && !change.progress.failed) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    change = await call(changeRoutes.get, { params: { id: response.id } }).catch((error: unknown) => {
      if (error instanceof ProblemError && isPermanent(error.problem)) throw error
      return change // a temporary error; the next poll tries again
    })
  }
  return change
}

/** Returns true for an error that a retry cannot remove. */
const isPermanent = ({ status }: ProblemError['problem']): boolean => status >= 400 && status < 500 && status !== 429

/** The reasons why an undo skipped a record, as users read them. */
const reasonTexts: Record<SkippedReason, string> = {
  edited: 'edited since',
  deleted: 'deleted since',
  in_use: 'in use elsewhere',
  parent_gone: 'what it belonged to is gone',
  exists: 'there already',
  column_gone: 'the field is gone',
  blocked: 'its place is taken',
}

/** Formats the numbers of skipped records: "Kept as it is: 2 records edited since, 1 record in use elsewhere." */
function describeSkipped(counts: Change['skipped_counts']): string | undefined {
  const parts = SkippedReason.options.flatMap((reason) =>
    counts[reason] ? [`${formatCount(counts[reason], 'record')} ${reasonTexts[reason]}`] : [],
  )
  return parts.length > 0 ? `Kept as it is: ${parts.join(', ')}.` : undefined
}

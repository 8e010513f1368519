import { changeRoutes, type Change, SkippedReason } from '#contract/changes.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { isPermanent, waitUntilFinished, withNotice } from './changeProgress.ts'
import { callForChange, hasRunningWrites, ProblemError, waitForWrites } from './client.ts'
import { formatCount } from './format.ts'
import { queries } from './queries.ts'
import { describeError, dismissToasts, toast, toastError } from './toasts.ts'
import { addEntry, type StackName, type UndoEntry } from './undoHistory.ts'
import { findEntry, findNewestEntry, removeUndoChange, removeUndoEntry } from './undoSteps.ts'

export { followChange, waitUntilFinished } from './changeProgress.ts' // loaded together with this module

type StepToUndo = Omit<UndoEntry, 'tab'>
type ChangeToUndo = { changeId: string; label: string }
type SkippedCounts = Change['skipped_counts']
type OperationName = 'Undo' | 'Redo'
/** What the toasts say before the label of the change. */
const titles: Readonly<Record<OperationName, { running: string; done: string }>> = {
  Undo: { running: 'Undoing', done: 'Undone' },
  Redo: { running: 'Redoing', done: 'Redone' },
}

/** Undoes the stored step with this id, or else the change with this id. */
export const undoOne = (id: string, label = 'the change'): Promise<void> =>
  runInOrder('Undo', () => run(findEntry(id) ?? { id, changeIds: [id], label }, 'undoable').catch(toastError))

/**
 * Undoes the newest step of this browser that can be undone. `wouldUndoOlder` resolves to true when a write was running, and has ended
 * without a change that can be undone.
 */
export const undoNewest = (wouldUndoOlder: Promise<boolean>): Promise<void> =>
  runInOrder('Undo', () => runNewest('undoable', 'Nothing to undo'), wouldUndoOlder)

/** Redoes the change that this change has undone. */
export const redoOne = (undoId: string, label: string): Promise<void> =>
  runInOrder('Redo', () => run({ id: undoId, changeIds: [undoId], label }, 'redoable').catch(toastError))

/** Redoes the step that was undone last. */
export const redoNewest = (): Promise<void> => runInOrder('Redo', () => runNewest('redoable', 'Nothing to redo'))

let lastRun: Promise<unknown> = Promise.resolve()
let isRunning = false

/**
 * Runs an undo or redo after all running writes and all earlier undos and redos have finished. Does not run it if `wouldUndoOlder` resolves to
 * true.
 */
function runInOrder(name: OperationName, work: () => Promise<void>, wouldUndoOlder = Promise.resolve(false)): Promise<void> {
  const previous = lastRun
  const ownRun = waitForEarlierWork(name, previous, wouldUndoOlder).then(async (canRun) => {
    if (!canRun) return
    isRunning = true
    await work().finally(() => (isRunning = false))
  })
  lastRun = Promise.allSettled([previous, ownRun]) // `previous` too, because a cancelled `ownRun` ends before `previous`
  return ownRun
}

/**
 * Waits until the earlier writes, undos and redos have finished; after three seconds, a toast shows what the user is waiting for. Returns
 * false if the user has cancelled. Also returns false if the newest change should be undone, but the write that was running cannot be
 * undone: the user does not expect that an older change is undone instead.
 */
async function waitForEarlierWork(
  name: OperationName,
  previous: Promise<unknown>,
  wouldUndoOlder = Promise.resolve(false),
): Promise<boolean> {
  const wasUndoRunning = isRunning // an undo is a write too
  const cancelled = Promise.withResolvers<void>()
  let isCancelled = false
  const cancel = (): void => {
    isCancelled = true
    cancelled.resolve()
  }
  await withNotice(Promise.race([previous.then(waitForWrites), cancelled.promise]), () => {
    const message = !isRunning && hasRunningWrites() ? 'A change is still being saved.' : 'The undo or redo before it is still running.'
    return { title: `${name} is waiting`, message, action: { label: 'Cancel', run: cancel } }
  })
  if (isCancelled) return false
  if (wasUndoRunning || !(await wouldUndoOlder)) return true
  toast({ kind: 'info', title: 'Nothing to undo', message: 'The change that was being saved cannot be undone.' })
  return false
}

/** The codes of the errors after which a change can never be undone or redone. */
const goneCodes: readonly (ErrorCode | 'offline')[] = ['already_undone', 'too_old', 'nothing_left', 'not_found']

/** Undoes or redoes the newest step of the stack. If that is no longer possible, shows the reason and takes the next older step. */
async function runNewest(stack: StackName, emptyTitle: string): Promise<void> {
  const shownMessages = new Set<string>()
  for (let entry = findNewestEntry(stack); entry; entry = findNewestEntry(stack)) {
    if (entry.changeIds.length === 0) {
      removeUndoEntry(entry.id)
      return toast({ kind: 'info', title: entry.label, message: 'This cannot be undone.' })
    }
    try {
      return await run(entry, stack)
    } catch (error) {
      if (!isGone(error)) return toastError(error)
      if (!shownMessages.has(error.message)) toast({ kind: 'info', title: entry.label, message: describeError(error) })
      shownMessages.add(error.message)
    }
  }
  toast({ kind: 'info', title: emptyTitle })
}

const isGone = (error: unknown): error is ProblemError => error instanceof ProblemError && goneCodes.includes(error.problem.code)

/**
 * Undoes or redoes the changes of a step, newest first, shows the result, and stores the new changes in the other stack. Changes for which
 * this is no longer possible are left out. Throws `ProblemError` for any other failure, and if nothing could be undone.
 */
async function run({ id, changeIds, label }: StepToUndo, stack: StackName): Promise<void> {
  const [name, otherStack] = stack === 'undoable' ? (['Undo', 'redoable'] as const) : (['Redo', 'undoable'] as const)
  const allSkipped: SkippedCounts[] = []
  let isStopped = false
  let goneError: ProblemError | undefined
  const undoAll = async (): Promise<void> => {
    for (const changeId of changeIds.toReversed())
      try {
        const { newChangeId, skipped } = await undoOnServer({ changeId, label }, name)
        addEntry(otherStack, { id: id === changeId ? newChangeId : id, changeIds: [newChangeId], label })
        if (skipped) allSkipped.push(skipped)
        else isStopped = true
      } catch (error) {
        if (!isGone(error)) throw error
        goneError = error
      }
  }
  try {
    await (changeIds.length === 1 ? undoAll() : withNotice(undoAll(), () => ({ title: `${titles[name].running}: ${label}` })))
  } finally {
    void queries.invalidateQueries() // not awaited, so that a redo does not wait for the refetch
  }
  dismissToasts((each) => each.changeId === id)
  if (allSkipped.length === 0 && goneError && !isStopped) throw goneError
  if (!isStopped) showDone(name, label, allSkipped)
}

/**
 * Undoes a change and returns the id of the new change, and the numbers of skipped records unless the job of the undo has stopped. After a
 * temporary error (no network, 429 or 5xx) the change stays in the history, so that the user can try again. Throws `ProblemError`.
 */
async function undoOnServer(change: ChangeToUndo, name: OperationName): Promise<{ newChangeId: string; skipped?: SkippedCounts }> {
  const { changeId, label } = change
  const { running, done } = titles[name]
  const title = `${running}: ${label}`
  try {
    const request = callForChange(changeRoutes.undo, { params: { id: changeId } })
    const { response, changeId: newChangeId = response.id } = await withNotice(request, () => ({
      title,
      message: 'The server has not answered yet.',
    }))
    forget(changeId)
    const { skipped_counts, progress } = await waitUntilFinished(response, { title, unit: 'part' })
    if (!progress?.failed) return { newChangeId, skipped: skipped_counts }
    toast({
      kind: 'error',
      title: `${name} stopped`,
      message: `${progress.done} of ${progress.total} parts were ${done.toLowerCase()}.`,
      // a second request continues the undo that stopped
      action: { label: 'Try again', run: () => void tryAgain(change, name) },
    })
    return { newChangeId }
  } catch (error) {
    if (error instanceof ProblemError && isPermanent(error.problem)) forget(changeId)
    throw error
  }
}

const tryAgain = (change: ChangeToUndo, name: OperationName): Promise<void> =>
  runInOrder(name, async () => {
    const result = await undoOnServer(change, name).catch(toastError)
    if (result?.skipped) showDone(name, change.label, [result.skipped])
    void queries.invalidateQueries()
  })

function showDone(name: OperationName, label: string, skipped: readonly SkippedCounts[]): void {
  const message = describeSkipped(skipped)
  toast({ kind: message ? 'info' : 'success', title: `${titles[name].done}: ${label}`, message })
}

/** Removes a change that cannot be undone any more, with its toast. */
function forget(changeId: string): void {
  removeUndoChange(changeId)
  dismissToasts((each) => each.changeId === changeId)
}

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
function describeSkipped(allCounts: readonly SkippedCounts[]): string | undefined {
  const parts = SkippedReason.options.flatMap((reason) => {
    const count = allCounts.reduce((sum, counts) => sum + (counts[reason] ?? 0), 0)
    return count > 0 ? [`${formatCount(count, 'record')} ${reasonTexts[reason]}`] : []
  })
  return parts.length > 0 ? `Kept as it is: ${parts.join(', ')}.` : undefined
}

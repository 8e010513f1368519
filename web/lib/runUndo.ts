import { changeRoutes, type Change, SkippedReason } from '#contract/changes.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { isPermanent, waitUntilFinished, withNotice } from './changeProgress.ts'
import { callForChange, hasRunningWrites, ProblemError, waitForWrites } from './client.ts'
import { formatCount } from './format.ts'
import { queries } from './queries.ts'
import { describeError, dismissToasts, toast, toastError } from './toasts.ts'
import { addEntry, findEntry, findNewestEntry, removeUndoEntry, type StackName, type UndoEntry } from './undoHistory.ts'

export { followChange, waitUntilFinished } from './changeProgress.ts' // loaded together with this module

type EntryToUndo = Pick<UndoEntry, 'changeId' | 'label'>
type OperationName = 'Undo' | 'Redo'
/** What the toasts say before the label of the change. */
const titles: Readonly<Record<OperationName, { running: string; done: string }>> = {
  Undo: { running: 'Undoing', done: 'Undone' },
  Redo: { running: 'Redoing', done: 'Redone' },
}

/** Undoes this change. */
export const undoOne = (changeId: string, label = findEntry(changeId)?.label ?? 'the change'): Promise<void> =>
  runInOrder('Undo', () => run({ changeId, label }, 'undoable').catch(toastError))

/**
 * Undoes the newest change of this browser that can be undone. `wouldUndoOlder` resolves to true when a write was running, and has ended
 * without a change that can be undone.
 */
export const undoNewest = (wouldUndoOlder: Promise<boolean>): Promise<void> =>
  runInOrder('Undo', () => runNewest('undoable', 'Nothing to undo'), wouldUndoOlder)

/** Redoes the change that this change has undone. */
export const redoOne = (undoId: string, label: string): Promise<void> =>
  runInOrder('Redo', () => run({ changeId: undoId, label }, 'redoable').catch(toastError))

/** Redoes the change that was undone last. */
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

/** Undoes or redoes the newest change of the stack. If that is no longer possible, shows the reason and takes the next older change. */
async function runNewest(stack: StackName, emptyTitle: string): Promise<void> {
  const shownMessages = new Set<string>()
  for (let entry = findNewestEntry(stack); entry; entry = findNewestEntry(stack)) {
    try {
      return await run(entry, stack)
    } catch (error) {
      if (!(error instanceof ProblemError) || !goneCodes.includes(error.problem.code)) return toastError(error)
      if (!shownMessages.has(error.message)) toast({ kind: 'info', title: entry.label, message: describeError(error) })
      shownMessages.add(error.message)
    }
  }
  toast({ kind: 'info', title: emptyTitle })
}

/** Undoes or redoes a change, shows the result, and stores the new change in the other stack. Throws `ProblemError`. */
async function run(entry: EntryToUndo, stack: StackName): Promise<void> {
  const isUndo = stack === 'undoable'
  const newChangeId = await undoOnServer(entry, isUndo ? 'Undo' : 'Redo')
  addEntry(isUndo ? 'redoable' : 'undoable', newChangeId, entry.label)
}

/**
 * Undoes a change and returns the id of the new change. After a temporary error (no network, 429 or 5xx) the change stays in the history,
 * so that the user can try again. Throws `ProblemError`.
 */
async function undoOnServer(entry: EntryToUndo, name: OperationName): Promise<string> {
  const { changeId, label } = entry
  const { running, done } = titles[name]
  const title = `${running}: ${label}`
  try {
    const request = callForChange(changeRoutes.undo, { params: { id: changeId } })
    const { response, changeId: newChangeId } = await withNotice(request, () => ({ title, message: 'The server has not answered yet.' }))
    forget(changeId)
    const { skipped_counts, progress } = await waitUntilFinished(response, { title, unit: 'part' })
    const message = describeSkipped(skipped_counts)
    if (progress?.failed)
      toast({
        kind: 'error',
        title: `${name} stopped`,
        message: `${progress.done} of ${progress.total} parts were ${done.toLowerCase()}.`,
        // a second request continues the undo that stopped
        action: { label: 'Try again', run: () => void tryAgain(entry, name) },
      })
    else toast({ kind: message ? 'info' : 'success', title: `${done}: ${label}`, message })
    void queries.invalidateQueries() // not awaited, so that a redo does not wait for the refetch
    return newChangeId ?? response.id
  } catch (error) {
    if (error instanceof ProblemError && isPermanent(error.problem)) forget(changeId)
    throw error
  }
}

const tryAgain = (entry: EntryToUndo, name: OperationName): Promise<void> =>
  runInOrder(name, () => undoOnServer(entry, name).then(() => undefined, toastError))

/** Removes a change that cannot be undone any more, with its toast. */
function forget(changeId: string): void {
  removeUndoEntry(changeId)
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
function describeSkipped(counts: Change['skipped_counts']): string | undefined {
  const parts = SkippedReason.options.flatMap((reason) =>
    counts[reason] ? [`${formatCount(counts[reason], 'record')} ${reasonTexts[reason]}`] : [],
  )
  return parts.length > 0 ? `Kept as it is: ${parts.join(', ')}.` : undefined
}

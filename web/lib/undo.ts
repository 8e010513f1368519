import * as z from 'zod/mini'
import { changeRoutes, type Change, SkippedReason } from '#contract/changes.ts'
import { call, callForChange, ProblemError, waitForWrites } from './client.ts'
import { formatCount } from './format.ts'
import { queries } from './queries.ts'
import { readFromTab, storeInTab } from './tabMemory.ts'
import { dismissToasts, toast, toastError } from './toasts.ts'

const UndoEntry = z.object({ changeId: z.string(), label: z.string() })
type UndoEntry = z.infer<typeof UndoEntry>

/** The changes that can be undone and redone in this tab, newest last. The tab stores them, so that they survive a reload. */
const Stacks = z.object({ undoable: z.array(UndoEntry), redoable: z.array(UndoEntry) })
type Stacks = z.infer<typeof Stacks>

const maxEntries = 100
const storageName = 'changes'
const readStacks = (): Stacks => readFromTab(storageName, Stacks) ?? { undoable: [], redoable: [] }
const saveStacks = (changes: Partial<Stacks>): void => storeInTab(storageName, { ...readStacks(), ...changes })

/** Stores a change of this tab for Ctrl/Cmd+Z. `label` is the title of its toast: "Contact deleted". */
export function storeForUndo(changeId: string | undefined, label: string): void {
  if (!changeId) return
  saveStacks({ undoable: [...readStacks().undoable, { changeId, label }].slice(-maxEntries), redoable: [] })
}

/** Shows a toast with an Undo button and stores the change for Ctrl/Cmd+Z. `title` describes the change: "Contact deleted". */
export function toastChange(title: string, changeId: string | undefined, message?: string): void {
  storeForUndo(changeId, title)
  toast({ kind: 'success', title, message, changeId })
}

/** Undoes a change, by default the newest change, and shows the result. Waits for running writes first. */
export const undoChange = (changeId?: string, label?: string): Promise<void> =>
  runInOrder(async () => {
    const entry = changeId ? { changeId, label: label ?? findLabel(changeId) } : readStacks().undoable.at(-1)
    if (!entry) return toast({ kind: 'info', title: 'Nothing to undo' })
    const newChangeId = await undoOnServer(entry, `Undone: ${entry.label}`)
    if (newChangeId) saveStacks({ redoable: [...readStacks().redoable, { changeId: newChangeId, label: entry.label }] })
  })

/** Redoes the change that was undone last. */
export const redoChange = (): Promise<void> =>
  runInOrder(async () => {
    const entry = readStacks().redoable.at(-1)
    if (!entry) return toast({ kind: 'info', title: 'Nothing to redo' })
    const newChangeId = await undoOnServer(entry, `Redone: ${entry.label}`)
    if (newChangeId) saveStacks({ undoable: [...readStacks().undoable, { changeId: newChangeId, label: entry.label }] })
  })

let lastRun: Promise<void> = Promise.resolve()

/** Runs an undo or redo after all running writes and all earlier undos and redos have finished. */
function runInOrder(run: () => Promise<void>): Promise<void> {
  lastRun = lastRun.then(waitForWrites).then(run)
  return lastRun
}

/**
 * Undoes a change and returns the id of the new change; undefined after an error. After a network error, a 429 or a 5xx the change can be
 * undone again.
 */
async function undoOnServer(entry: UndoEntry, title: string): Promise<string | undefined> {
  const { changeId } = entry
  try {
    const { response, changeId: newChangeId } = await callForChange(changeRoutes.undo, { params: { id: changeId } })
    removeEntry(changeId)
    const { skipped_counts, progress } = await waitUntilFinished(response)
    const message = describeSkipped(skipped_counts)
    if (progress?.failed)
      toast({
        kind: 'error',
        title: 'Undo stopped',
        message: `${progress.done} of ${progress.total} parts were undone.`,
        // the server then continues the same undo
        action: { label: 'Try again', run: () => void runInOrder(async () => void (await undoOnServer(entry, title))) },
      })
    else toast({ kind: message ? 'info' : 'success', title, message })
    void queries.invalidateQueries() // not awaited, so that a redo does not wait for the refetch
    return newChangeId ?? response.id
  } catch (error) {
    if (error instanceof ProblemError && isPermanent(error.problem)) removeEntry(changeId)
    toastError(error)
    return undefined
  }
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

function removeEntry(changeId: string): void {
  const { undoable, redoable } = readStacks()
  const isOther = (entry: UndoEntry): boolean => entry.changeId !== changeId
  saveStacks({ undoable: undoable.filter(isOther), redoable: redoable.filter(isOther) })
  dismissToasts((each) => each.changeId === changeId)
}

const findLabel = (changeId: string): string => readStacks().undoable.find((each) => each.changeId === changeId)?.label ?? 'the change'

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

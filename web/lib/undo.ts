import * as z from 'zod/mini'
import { changeRoutes, type Change, SkippedReason } from '#contract/changes.ts'
import { call, callForChange, ProblemError, writesAnswered } from './client.ts'
import { queries } from './queries.ts'
import { findInTab, keepInTab } from './tabMemory.ts'
import { dismissToasts, toast, toastError } from './toasts.ts'

const Remembered = z.object({ change: z.string(), label: z.string() })
type Remembered = z.infer<typeof Remembered>

/** The changes that can be undone and redone in this tab, newest last. Stored in the tab, so that they survive a reload. */
const Stacks = z.object({ undoable: z.array(Remembered), redoable: z.array(Remembered) })
type Stacks = z.infer<typeof Stacks>

const maxRemembered = 100
const storageName = 'changes'
const stacks = (): Stacks => findInTab(storageName, Stacks) ?? { undoable: [], redoable: [] }
const keep = (changed: Partial<Stacks>): void => keepInTab(storageName, { ...stacks(), ...changed })

/** Remembers a change of this tab for Ctrl/Cmd+Z. `label` is the title of its toast: "Contact deleted". */
export function remember(change: string | undefined, label: string): void {
  if (!change) return
  keep({ undoable: [...stacks().undoable, { change, label }].slice(-maxRemembered), redoable: [] })
}

/** Shows a toast with Undo, and remembers the change for Ctrl/Cmd+Z. `title`: "Contact deleted". */
export function sayDone(title: string, change: string | undefined, message?: string): void {
  remember(change, title)
  toast({ kind: 'success', title, message, change })
}

/** Undoes the newest change, also when it is still being written, or the change of a toast, and shows the result. */
export const undoLast = (change?: string, label?: string): Promise<void> =>
  oneByOne(async () => {
    const chosen = change ? { change, label: label ?? labelOf(change) } : stacks().undoable.at(-1)
    if (!chosen) return toast({ kind: 'info', title: 'Nothing to undo' })
    const inverse = await reverse(chosen, `Undone: ${chosen.label}`)
    if (inverse) keep({ redoable: [...stacks().redoable, { change: inverse, label: chosen.label }] })
  })

/** Redoes what was undone last. */
export const redoLast = (): Promise<void> =>
  oneByOne(async () => {
    const chosen = stacks().redoable.at(-1)
    if (!chosen) return toast({ kind: 'info', title: 'Nothing to redo' })
    const inverse = await reverse(chosen, `Redone: ${chosen.label}`)
    if (inverse) keep({ undoable: [...stacks().undoable, { change: inverse, label: chosen.label }] })
  })

let last: Promise<void> = Promise.resolve()

/** Runs one undo or redo at a time, after all writes before it have been answered. */
function oneByOne(step: () => Promise<void>): Promise<void> {
  last = last.then(writesAnswered).then(step)
  return last
}

/** Returns the change that undoes this one; undefined when it failed. After a network error or 429 it can be tried again. */
async function reverse({ change }: Remembered, title: string): Promise<string | undefined> {
  try {
    const { answer, change: inverse } = await callForChange(changeRoutes.undo, { params: { id: change } })
    forget(change)
    const { skipped_counts } = await finished(answer)
    const message = describeSkipped(skipped_counts)
    toast({ kind: message ? 'info' : 'success', title, message })
    void queries.invalidateQueries() // not awaited: a redo need not wait for the refetch
    return inverse ?? answer.id
  } catch (error) {
    if (error instanceof ProblemError && isFinal(error.problem)) forget(change)
    toastError(error)
    return undefined
  }
}

const pollMs = 500

/** Waits for the undo of a change group, which goes on after its answer. */
async function finished(answer: Change): Promise<Change> {
  let change = answer
  while (change.progress?.finished === false) {
    await new Promise((done) => setTimeout(done, pollMs))
    change = await call(changeRoutes.get, { params: { id: answer.id } }).catch((error: unknown) => {
      if (error instanceof ProblemError && isFinal(error.problem)) throw error
      return change // no answer now: asked again
    })
  }
  return change
}

const isFinal = ({ status }: ProblemError['problem']): boolean => status >= 400 && status < 500 && status !== 429

function forget(change: string): void {
  const others = (list: Remembered[]): Remembered[] => list.filter((each) => each.change !== change)
  keep({ undoable: others(stacks().undoable), redoable: others(stacks().redoable) })
  dismissToasts((each) => each.change === change)
}

const labelOf = (change: string): string => stacks().undoable.find((each) => each.change === change)?.label ?? 'the change'

const reasons: Record<SkippedReason, string> = {
  edited: 'edited since',
  deleted: 'deleted since',
  in_use: 'in use elsewhere',
  parent_gone: 'what it belonged to is gone',
  exists: 'there already',
  column_gone: 'the field is gone',
  blocked: 'its place is taken',
}

/** "Kept as it is: 2 edited since, 1 in use elsewhere." */
function describeSkipped(counts: Change['skipped_counts']): string | undefined {
  const parts = SkippedReason.options.flatMap((why) => (counts[why] ? [`${counts[why]} ${reasons[why]}`] : []))
  return parts.length > 0 ? `Kept as it is: ${parts.join(', ')}.` : undefined
}

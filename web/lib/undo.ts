import * as z from 'zod/mini'
import { changeRoutes, type SkippedRow } from '#contract/changes.ts'
import { callForChange, ProblemError, writesAnswered } from './client.ts'
import { queries } from './queries.ts'
import { findInTab, keepInTab } from './tabMemory.ts'
import { dismissToasts, toast, toastError } from './toasts.ts'

const Remembered = z.object({ change: z.string(), label: z.string() })
type Remembered = z.infer<typeof Remembered>

/** What can be undone and redone in this tab, newest last. Kept in the tab, so that a reload forgets nothing. */
const Stacks = z.object({ undoable: z.array(Remembered), redoable: z.array(Remembered) })
type Stacks = z.infer<typeof Stacks>

const mostRemembered = 100
const memory = 'changes'
const stacks = (): Stacks => findInTab(memory, Stacks) ?? { undoable: [], redoable: [] }
const keep = (changed: Partial<Stacks>): void => keepInTab(memory, { ...stacks(), ...changed })

/** Keeps in mind what the person has just done in this tab, for Ctrl/Cmd+Z. `label` is what the toast said: "Contact deleted". */
export function remember(change: string | undefined, label: string): void {
  if (!change) return
  keep({ undoable: [...stacks().undoable, { change, label }].slice(-mostRemembered), redoable: [] })
}

/** Says that something was done, with Undo, and keeps it in mind for Ctrl/Cmd+Z. "Contact deleted". */
export function sayDone(title: string, change: string | undefined, message?: string): void {
  remember(change, title)
  toast({ kind: 'success', title, message, change })
}

/** Takes a change back: the newest one, also when it is still being written, or the one that a toast stands for. Says what it did. */
export const undoLast = (change?: string, label?: string): Promise<void> =>
  oneByOne(async () => {
    const chosen = change ? { change, label: label ?? labelOf(change) } : stacks().undoable.at(-1)
    if (!chosen) return toast({ kind: 'info', title: 'Nothing to undo' })
    const inverse = await reverse(chosen, `Undone: ${chosen.label}`)
    if (inverse) keep({ redoable: [...stacks().redoable, { change: inverse, label: chosen.label }] })
  })

/** Does again what was undone last. */
export const redoLast = (): Promise<void> =>
  oneByOne(async () => {
    const chosen = stacks().redoable.at(-1)
    if (!chosen) return toast({ kind: 'info', title: 'Nothing to redo' })
    const inverse = await reverse(chosen, `Redone: ${chosen.label}`)
    if (inverse) keep({ undoable: [...stacks().undoable, { change: inverse, label: chosen.label }] })
  })

let last: Promise<void> = Promise.resolve()

/** Each when all that was done before it has been answered: at once they would overtake each other. */
function oneByOne(step: () => Promise<void>): Promise<void> {
  last = last.then(writesAnswered).then(step)
  return last
}

/** Answers the change that takes this one back. What has no answer, or was put off, can be tried again. */
async function reverse({ change }: Remembered, title: string): Promise<string | undefined> {
  try {
    const { answer, change: inverse } = await callForChange(changeRoutes.undo, { params: { id: change } })
    forget(change)
    toast({ kind: answer.kept.length > 0 ? 'info' : 'success', title, message: wordsFor(answer.kept) })
    void queries.invalidateQueries() // what was undone can be done again at once, before all of it is fetched
    return inverse ?? answer.id
  } catch (error) {
    if (error instanceof ProblemError && isFinal(error.problem)) forget(change)
    toastError(error)
    return undefined
  }
}

const isFinal = ({ status }: ProblemError['problem']): boolean => status >= 400 && status < 500 && status !== 429

function forget(change: string): void {
  const others = (list: Remembered[]): Remembered[] => list.filter((each) => each.change !== change)
  keep({ undoable: others(stacks().undoable), redoable: others(stacks().redoable) })
  dismissToasts((each) => each.change === change)
}

const labelOf = (change: string): string => stacks().undoable.find((each) => each.change === change)?.label ?? 'the change'

const reasons: Record<SkippedRow['why'], string> = {
  edited: 'edited since',
  deleted: 'deleted since',
  in_use: 'in use elsewhere',
  parent_gone: 'what it belonged to is gone',
  exists: 'there already',
  column_gone: 'the field is gone',
}

/** "Kept as it is: 2 edited since, 1 in use elsewhere." */
function wordsFor(kept: readonly SkippedRow[]): string | undefined {
  if (kept.length === 0) return undefined
  const byReason = Object.entries(Object.groupBy(kept, ({ why }) => reasons[why]))
  return `Kept as it is: ${byReason.map(([reason, rows]) => `${rows?.length} ${reason}`).join(', ')}.`
}

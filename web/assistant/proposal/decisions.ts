import * as z from 'zod/mini'
import { listenForSessionEnd } from '#web/lib/session.ts'
import { createStore, useStore } from '#web/lib/store.ts'
import { readFromTab, removeFromTab, storeInTab } from '#web/lib/tabMemory.ts'
import { ItemRefusal } from './refusals.ts'

/** What the user has decided about the changes of an open proposal, and why they were refused, by the keys of the changes. */
const Decisions = z.object({
  /** The changes that are not ticked. */
  leftOut: z.array(z.string()),
  /** The edited fields of changes. */
  edited: z.record(z.string(), z.record(z.string(), z.unknown())),
  /** Why changes were refused, with the conflicts that the user has seen. */
  refusals: z.record(z.string(), ItemRefusal),
  /** The chosen value of each field in conflict; the value of the proposal by default. */
  choices: z.record(z.string(), z.record(z.string(), z.enum(['yours', 'theirs']))),
  /** The new records that are added although similar ones exist. */
  duplicates: z.array(z.string()),
})
export type Decisions = z.infer<typeof Decisions>

const noDecisions: Decisions = { leftOut: [], edited: {}, refusals: {}, choices: {}, duplicates: [] }
const decisions = createStore<ReadonlyMap<string, Decisions>>(new Map())
listenForSessionEnd(() => decisions.set(new Map()))

const makeName = (id: string): string => `proposal ${id}`

/** Returns the decisions about a proposal, and a function that changes some of them. The tab stores them, so that they survive a reload. */
export function useDecisions(id: string): [Decisions, (changes: Partial<Decisions>) => void] {
  const current = useStore(decisions).get(id) ?? readDecisions(id)
  return [
    current,
    (changes) => {
      const changed = { ...readDecisions(id), ...changes }
      decisions.set(new Map([...decisions.get(), [id, changed]]))
      storeInTab(makeName(id), changed)
    },
  ]
}

const readDecisions = (id: string): Decisions => decisions.get().get(id) ?? readFromTab(makeName(id), Decisions) ?? noDecisions

/** Forgets the decisions about a proposal that is closed. */
export function forgetDecisions(id: string): void {
  const others = new Map(decisions.get())
  others.delete(id)
  decisions.set(others)
  removeFromTab(makeName(id))
}

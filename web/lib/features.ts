import type { ComponentType } from 'react'
import type { SignedIn } from '#contract/accounts.ts'
import type { KindName, KindNames } from '#contract/kinds.ts'
import type { Action } from './actions.ts'
import { createStore } from './store.ts'

export type Icon = ComponentType<{ size?: number | string; stroke?: number | string }>

/** A kind of record, and how it looks where several kinds stand together. */
export type KnownRecord = KindNames & {
  icon: Icon
  /** Its records are told from each other by name: initials are a picture of them. */
  shape?: 'round' | 'square'
  /** Where a record stands; undefined where it has no place of its own. */
  addressOf: (record: { id: string; contact_id?: string | null }) => string | undefined
  /** A change of a field as it is told where the record is linked: "moved to Proposal"; undefined where it says nothing there. */
  told?: (column: { name: string; before?: unknown; after?: unknown }) => string | undefined
}

/** What to do in a workspace that is still empty. `to` is where the button leads; a step that is done is not shown. */
export type FirstStep = { icon: Icon; title: string; words: string; action: string; to: string; isDone?: (session: SignedIn) => boolean }

/** Something that can be done from everywhere by going to an address; the palette offers it. */
export type ActionLink = Pick<Action, 'label' | 'keys' | 'takes' | 'place' | 'alsoCalled'> & { icon: Icon; to: string }

/** What the features tell each other without knowing each other; the shell gathers it. */
export const known = createStore<{ records: readonly KnownRecord[]; firstSteps: readonly FirstStep[] }>({ records: [], firstSteps: [] })

/** How a kind of record is known: by its name, or by its table. */
export const kindCalled = (name: KindName): KnownRecord | undefined => known.get().records.find(({ singular }) => singular === name)
export const kindIn = (table: string | null): KnownRecord | undefined => known.get().records.find((each) => each.table === table)

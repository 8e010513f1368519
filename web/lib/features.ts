import type { ComponentType } from 'react'
import type { Action } from './actions.ts'
import { createStore } from './store.ts'

export type Icon = ComponentType<{ size?: number | string; stroke?: number | string }>

/** Rows of a table that people know as something: "contact". */
export type KnownRecord = { table: string; noun: string }

/** What to do in a workspace that is still empty. `to` is where the button leads. */
export type FirstStep = { icon: Icon; title: string; words: string; action: string; to: string }

/** Something that can be done from everywhere by going to an address; the palette offers it. */
export type ActionLink = Pick<Action, 'label' | 'keys' | 'takes' | 'place' | 'alsoCalled'> & { icon: Icon; to: string }

/** What the features tell each other without knowing each other; the shell gathers it. */
export const known = createStore<{ records: readonly KnownRecord[]; firstSteps: readonly FirstStep[] }>({ records: [], firstSteps: [] })

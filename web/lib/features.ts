import type { ComponentType } from 'react'
import type { AsyncRouteComponent } from '@tanstack/react-router'
import type { SignedIn } from '#contract/accounts.ts'
import type { KindName, KindDefinition } from '#contract/kinds.ts'
import { createStore } from './store.ts'

export type Icon = ComponentType<{ size?: number | string; stroke?: number | string }>

/** How a kind of record is shown in lists that mix several kinds, such as the palette and the trash. */
export type KindDisplay = KindDefinition & {
  icon: Icon
  /** The shape of the avatar with the initials of a record. Without a shape the kind's icon is shown. */
  shape?: 'round' | 'square'
  /** The address of a record; undefined where it has no page of its own. */
  addressOf: (record: { id: string; on?: { kind: KindName; id: string } | null }) => string | undefined
  /** Describes a changed field in the timeline of a linked record: "moved to Proposal". Undefined for fields that are not shown there. */
  describeChange?: (column: { name: string; before?: unknown; after?: unknown }) => string | undefined
  /** Loads what finds records of the kind to link to; without it nothing links to them. */
  linkSource?: () => Promise<LinkSource>
}

/** A record to link to. The detail tells it apart from others of the same title. */
export type LinkChoice = { id: string; title: string; detail: string }

/** Finds the records that match a text, and one record by its id. Both throw a `ProblemError`. */
export type LinkSource = {
  search: (text: string, signal: AbortSignal) => Promise<LinkChoice[]>
  get: (id: string, signal: AbortSignal) => Promise<LinkChoice>
}

/** A suggestion in an empty workspace. The button leads to `to`. Steps for which `isDone` is true are not shown. */
export type FirstStep = { icon: Icon; title: string; words: string; action: string; to: string; isDone?: (session: SignedIn) => boolean }

/** A tab on the page of a contact, such as its deals. Both components are loaded when the page opens. */
export type ContactTab = {
  /** Its value of the search parameter `tab`: "deals". */
  name: string
  label: string
  /** It stands before the other tabs and is open when the address names none. */
  isFirst?: true
  Tab: ContactTabComponent
  /** Shows how many records the tab holds. */
  Count: ContactTabComponent
}

type ContactTabComponent = AsyncRouteComponent<{ contactId: string }>

/** What features show of each other without importing each other. The shell fills it at the start. */
export const featureRegistry = createStore<FeatureRegistry>({ records: [], firstSteps: [], contactTabs: [] })

type FeatureRegistry = {
  records: readonly KindDisplay[]
  firstSteps: readonly FirstStep[]
  /** In their order on the page. */
  contactTabs: readonly ContactTab[]
}

export const kindByName = (name: KindName): KindDisplay | undefined =>
  featureRegistry.get().records.find(({ singular }) => singular === name)
export const kindByTable = (table: string | null): KindDisplay | undefined =>
  featureRegistry.get().records.find((each) => each.table === table)

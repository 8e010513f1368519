import type { ComponentType, ReactNode } from 'react'
import type { AsyncRouteComponent } from '@tanstack/react-router'
import type { FirstStepName } from '#contract/dashboard.ts'
import type { KindName, KindDefinition } from '#contract/kinds.ts'
import type { ParentRecord } from '#contract/search.ts'
import { createStore } from './store.ts'

// What each feature tells the others: how its record kinds are shown, its first steps, and its tab on the page of a contact.

export type Icon = ComponentType<{ size?: number | string; stroke?: number | string }>

/** The display of a record kind in lists of several kinds, such as the palette and the trash. */
export type KindDisplay = KindDefinition & {
  icon: Icon
  /** The shape of the avatar with initials. Kinds without a shape show their icon instead of an avatar. */
  shape?: 'round' | 'square'
  /** Returns the address of a record; undefined when it has no page. */
  addressOf: (record: { id: string; parent?: ParentRecord | null }) => string | undefined
  /** The address of the list. The default is the address of a record without the id at its end. */
  listAddress?: string
  /** Returns the address that shows where the words of a search are in the text of a record. Missing for kinds without texts. */
  addressOfText?: (id: string, search: string) => string
  /**
   * The word before the title of a parent record of this kind: "in" for a folder ("File in Offers"). The default is "of" ("File of Ada
   * Lovelace").
   */
  preposition?: 'in'
  /** Where a record without a parent is shown: "Files". Missing for kinds whose records always have a parent or have their own list. */
  rootLabel?: string
  /** What happened to a new record, for timelines: "uploaded". The default is "added". */
  creationText?: string
  /** Describes a changed field for the timeline of a linked record: "moved to Proposal". Undefined for hidden fields. */
  describeChange?: (column: { name: string; before?: unknown; after?: unknown }) => string | undefined
  /** Loads the functions that find records of this kind for link fields. Missing for kinds that no field links to. */
  linkFieldSource?: () => Promise<LinkSource>
  /** Loads the fields of this kind. */
  loadFields?: () => Promise<KindFields>
}

/** The fields of a kind, for features that show and edit the values of records of every kind. */
export type KindFields = {
  fields: Readonly<Record<string, ShownField>>
  /** The values of a new record. */
  blank: Readonly<Record<string, unknown>>
  Editor: ComponentType<FieldsEditorProps>
}

/** How the value of a field is shown. */
export type ShownField = {
  label: string
  choices?: readonly { value: string; label: string }[]
  linksTo?: KindName
  /** The field that stores the title of the linked record. Both are one field for the user. */
  titleField?: string
  isLong?: boolean
  format?: (value: unknown) => string | undefined
}

/** What is typed in the inputs of fields, by the names of the fields. */
export type TypedValues = Readonly<Record<string, string | string[] | null>>

/** Edits values without saving them. */
export type FieldsEditorProps = {
  /** The name under which the tab stores what is typed. */
  draftName: string
  /** The values to edit, as the server stores them. */
  values: Readonly<Record<string, unknown>>
  /** What was typed for some of the fields in an earlier editor. */
  typedValues?: TypedValues | undefined
  /** The messages of the fields that the server has refused. */
  errors: Readonly<Record<string, string>>
  onSave: (values: Record<string, unknown>) => void
  onCancel: () => void
  /** Shows a button "More fields", which calls this with what is typed. */
  onMoreFields?: ((typedValues: TypedValues) => void) | undefined
}

/** A record in the list of a link field. The detail distinguishes records with the same title. */
export type LinkChoice = { id: string; title: string; detail: string }

/** Searches records by text and loads one by id. All functions throw `ProblemError`. */
export type LinkSource = {
  search: (text: string, signal: AbortSignal) => Promise<LinkChoice[]>
  get: (id: string, signal: AbortSignal) => Promise<LinkChoice>
  /** Finds and adds records by their title. Missing for kinds whose records cannot be added in a link field. */
  byTitle?: {
    /** Finds the records with this title, without regard to case and accents. */
    find: (title: string, signal: AbortSignal) => Promise<LinkChoice[]>
    /** Adds a record with this title and shows a toast with Undo. */
    add: (title: string) => Promise<LinkChoice>
  }
}

/** What a new user does first. Its button opens `address`. The server reads from the data of the workspace whether the step is done. */
export type FirstStep = {
  name: FirstStepName
  icon: Icon
  title: string
  text: string
  buttonLabel: string
  address: string
}

/** A tab on the page of a contact, for example with its deals. The components are loaded when the page opens. */
export type ContactTab = {
  /** The value of the query parameter `tab`: "deals". */
  name: string
  label: string
  /** The tabs are in the order of these numbers. The first tab is open by default. */
  position: number
  Tab: AsyncRouteComponent<{ contactId: string; contactName: string }>
  /** Shows the number of records in the tab. */
  Count: AsyncRouteComponent<{ contactId: string }>
  /**
   * The tab is printed below the open tab. Its `Count` must also load the records of the tab, because printing cannot wait for requests.
   */
  isAlwaysPrinted?: boolean
  /** Wraps the whole page, for example to receive dropped files. `onOpen` opens the tab. */
  Frame?: AsyncRouteComponent<{ contactId: string; contactName: string; onOpen: () => void; children: ReactNode }>
}

/** The record kinds, first steps and contact tabs of all features. Features read them here, because features cannot import each other. */
export const featureRegistry = createStore<FeatureRegistry>({ records: [], firstSteps: [], contactTabs: [] })

type FeatureRegistry = {
  records: readonly KindDisplay[]
  firstSteps: readonly FirstStep[]
  /** The tabs in their order on the page. */
  contactTabs: readonly ContactTab[]
}

/** Returns how records of a kind such as `contact` are shown. */
export const findKindDisplay = (name: KindName): KindDisplay | undefined =>
  featureRegistry.get().records.find(({ singular }) => singular === name)
/** Returns how records of this table are shown; undefined for null and for a table of another purpose. */
export const findKindDisplayByTable = (table: string | null): KindDisplay | undefined =>
  featureRegistry.get().records.find((each) => each.table === table)

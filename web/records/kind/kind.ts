import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { Condition, Filters } from '#contract/lists.ts'
import type { Route } from '#contract/route.ts'
import type { KindName } from '#contract/kinds.ts'
import type { ViewedList } from '#contract/views.ts'
import type { Icon } from '#web/lib/features.ts'
import type { Column } from '#web/ui/TableRow.tsx'

type Order = 'asc' | 'desc'
type BulkSelection = {
  ids?: string[] | undefined
  matching?: { search?: string | undefined; filter?: Condition[] | undefined } | undefined
}
type Narrowing = { search?: string | undefined; filter?: string | undefined }
type Page = { sort?: string | undefined; order?: Order | undefined; after?: string | undefined; limit?: unknown }
type Takes<In> = z.ZodMiniType<unknown, In>
type Gives<Out> = z.ZodMiniType<Out>

/** The routes that a list calls: those that `recordRoutes` and `tagRoutes` of the contract make. */
export type ListRoutes<Row> = {
  list: Route & { query: Takes<Narrowing & Page>; out: Gives<{ rows: Row[]; next: string | null }> }
  count: Route & { query: Takes<Narrowing>; out: Gives<{ count: number; more: boolean }> }
  delete: Route & { params: Takes<{ id: string }> }
  deleteMany: Route & { body: Takes<BulkSelection> }
  editMany: Route & { body: Takes<BulkSelection & { fields: object }> }
  export: Route & { body: Takes<BulkSelection & { sort?: string | undefined; order?: Order | undefined }> }
  tags?: Route & { out: Gives<{ tags: { tag: string; count: number }[] }> }
  tagMany?: Route & { body: Takes<BulkSelection & { add?: string[]; remove?: string[] }> }
  exportCards?: Route & { body: Takes<BulkSelection> }
}

export type ListColumn<Row> = Column<Row> & {
  /** In px; windows below 1200 give it less. Without one it shares the rest. */
  width?: number
  /** It never gets narrower: numbers are not cut. */
  firm?: boolean
  /** From which window width on it is shown unless somebody chose columns; `never` shows it on request only. */
  from?: number | 'never'
  /** Numbers stand at the right. */
  align?: 'right'
}

/** A field by which a list can be filtered, or that can be changed in many records at once. Of what kind it is, says `filters`. */
export type ListField = {
  name: string
  label: string
  /** How it is called where many records get the same value, if not like its filter. */
  bulkLabel?: string
  /** Of a choice, in their order. */
  choices?: readonly { value: string; label: string }[]
  /** Of a link: what it leads to. */
  linksTo?: Linked
  /** Of a link: the field that takes the name of what was chosen. */
  nameInto?: string
  /** It always holds something: nobody asks whether it is empty, and nobody empties it. */
  required?: boolean
}

/** How a list can be sorted beside newest first; the name is that of the column whose head does the same. */
type ListSort = { name: string; label: string; ascending?: string; descending?: string }

/** What the list of a kind of record is. A feature describes its own, once, outside of any component. */
export type ListKind<Row extends { id: string }> = {
  /** "contact". */
  singular: KindName
  /** "contacts": also under which its views are saved. Capitalised it is the heading. */
  plural: ViewedList
  /** Whose changes make it old: "crm_contacts". */
  table: string
  /** The other tables of which its rows show something, such as a name: their changes make it old too. */
  shows: readonly string[]
  /** Where it stands: "/crm/contacts". A record opens at `/crm/contacts/ID`, a new one at `/crm/contacts/new`. */
  path: string
  /** Where a record is edited; `/crm/contacts/ID/edit` when left out. */
  editPath?: (id: string) => string
  /** A record opens over the list, which stays as it is. */
  opensOver?: true
  routes: ListRoutes<Row>
  /** The contract's. */
  filters: Filters
  /** How a row is called. */
  nameOf: (row: Row) => string
  /** The first is the name; it cannot be hidden. `isPhone`: a row is a card of two lines, of which only the first column is drawn. */
  columns: (isPhone: boolean) => readonly ListColumn<Row>[]
  sorts: readonly ListSort[]
  /** How it is sorted when nobody says otherwise; newest first when left out. */
  usualSort?: { sort: string; order: Order }
  fields: readonly ListField[]
  /** The fields that can be changed in many records at once. */
  bulk: readonly string[]
  /** In which of the row's fields a search looks: "name, email, phone or company". */
  searched: string
  /** What stands there while there are none. */
  empty: { title: string; words: string; motif?: ReactNode }
  /** What a row's menu offers beside edit, select and delete. */
  links?: (row: Row) => readonly { label: string; icon: Icon; href: string }[]
  /** Done with: the row is faded. */
  faded?: (row: Row) => boolean
}

/** What a link leads to. */
export type Linked = 'contact' | 'company' | 'deal'

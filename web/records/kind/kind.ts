import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { KindName } from '#contract/kinds.ts'
import type { Condition, Filters } from '#contract/lists.ts'
import type { Route } from '#contract/route.ts'
import type { ViewedList } from '#contract/views.ts'
import type { Icon } from '#web/lib/features.ts'
import type { Column } from '#web/ui/TableRow.tsx'

/** A value that opens something outside of the application. */
export type External = 'website' | 'email' | 'phone'

/** A field of a kind, as every screen shows it. */
export type KindField = {
  label: string
  /** Its label in a bulk edit, where it differs. */
  bulkLabel?: string
  /** The values of a choice, in their order. */
  choices?: readonly { value: string; label: string }[]
  /** The kind of record that a link leads to. */
  linksTo?: KindName
  /** The field that takes the title of the linked record. */
  titleInto?: string
  /** It is never empty: filters do not offer "is empty", and a bulk edit cannot clear it. */
  required?: boolean
  external?: External
  /** The timeline says only that it changed. */
  long?: boolean
  /** The text of a value in the timeline, where the value itself is not enough. */
  format?: (value: unknown) => string | undefined
}

/** A column of a list. Label, sorting and cell come from the field of the same name unless they are given. */
type KindColumn<Row> = Pick<Column<Row>, 'name'> &
  Partial<Pick<Column<Row>, 'label' | 'align' | 'cell'>> & {
    /** In px; windows below 1200 px give it less. Columns without a width share the rest. */
    width?: number
    /** It keeps its width: a number must not be cut. */
    fixedWidth?: boolean
    /** The window width in px from which on it is shown by default; `never`: only when a person chooses it. */
    from?: number | 'never'
  }

/** A column of a list with everything that the table needs. */
export type ListColumn<Row> = Column<Row> & KindColumn<Row>

type Order = 'asc' | 'desc'

/** An order of a list beside newest first. The label comes from the field of the same name unless it is given. */
type KindSort = { name: string; label?: string; ascending?: string; descending?: string }

type SentSelection = {
  ids?: string[] | undefined
  matching?: { search?: string | undefined; filter?: Condition[] | undefined } | undefined
}
type SentSearch = { search?: string | undefined; filter?: string | undefined }
type SentPage = { sort?: string | undefined; order?: Order | undefined; after?: string | undefined; limit?: unknown }
type Takes<In> = z.ZodMiniType<unknown, In>
type Gives<Out> = z.ZodMiniType<Out>

/** The routes that a list calls, as `recordRoutes` and `tagRoutes` of the contract make them. */
export type ListRoutes<Row> = {
  list: Route & { query: Takes<SentSearch & SentPage>; out: Gives<{ rows: Row[]; next: string | null }> }
  count: Route & { query: Takes<SentSearch>; out: Gives<{ count: number; more: boolean }> }
  delete: Route & { params: Takes<{ id: string }> }
  deleteMany: Route & { body: Takes<SentSelection> }
  editMany: Route & { body: Takes<SentSelection & { fields: object }> }
  export: Route & { body: Takes<SentSelection & { sort?: string | undefined; order?: Order | undefined }> }
  tags?: Route & { out: Gives<{ tags: { tag: string; count: number }[] }> }
  tagMany?: Route & { body: Takes<SentSelection & { add?: string[]; remove?: string[] }> }
  exportCards?: Route & { body: Takes<SentSelection> }
}

/** The routes that a form and a panel call. */
type EditRoutes<Full> = Pick<ListRoutes<unknown>, 'delete' | 'deleteMany'> & {
  get: Route & { params: Takes<{ id: string }>; out: Gives<Full> }
  create: Route & { body: Takes<object>; out: Gives<Full> }
  update: Route & { params: Takes<{ id: string }>; body: Takes<object>; out: Gives<Full> }
}

/** A kind of record, as its list, its filters and its bulk actions need it. */
export type RecordKind<Row extends { id: string }> = {
  singular: KindName
  plural: ViewedList
  table: string
  /** The column of the title; also the name of the first column of the list. */
  titleColumn: string
  /** Other tables with data that its rows show, such as the names of linked records. */
  shows: readonly string[]
  /** The address of its list: "/crm/contacts". A record opens at `/crm/contacts/ID`, a new one at `/crm/contacts/new`. */
  path: string
  /** The address where a record is edited; `/crm/contacts/ID/edit` by default. */
  editPath?: (id: string) => string
  /** A record opens over the list. */
  opensOver?: true
  routes: ListRoutes<Row>
  titleOf: (row: Row) => string
  fields: Readonly<Record<string, KindField>>
  filters: Filters
  /** The fields in the filter menu, in their order. */
  filterFields: readonly string[]
  /** The fields of a bulk edit, in their order. */
  bulkFields: readonly string[]
  sorts: readonly KindSort[]
  /** The order by default; newest first without one. */
  defaultSort?: { sort: string; order: Order }
  /** The column with the title, which comes first and is always shown. On a phone it is the only one. */
  titleCell: {
    width?: number
    /** Stands before the title; by default an avatar where the kind has a shape. */
    picture?: (row: Row, reachable: boolean) => ReactNode
    /** On a phone, the second line of a row. */
    secondLine: (row: Row) => ReactNode
  }
  columns: readonly KindColumn<Row>[]
  /** The fields that search looks in: "name, email, phone or company". */
  searched: string
  /** The list without any record. */
  emptyList: { title: string; words: string; motif?: ReactNode }
  /** Links in the menu of a row. */
  links?: (row: Row) => readonly { label: string; icon: Icon; href: string }[]
  /** The row is shown faded. */
  faded?: (row: Row) => boolean
}

/** A kind of record, as its form and its panel need it. `Full` is a record as the route `get` returns it. */
export type EditableKind<Full extends { id: string; version: number }> = Pick<
  RecordKind<{ id: string }>,
  'singular' | 'plural' | 'table' | 'shows' | 'path' | 'editPath' | 'fields' | 'filters'
> & {
  routes: EditRoutes<Full>
  titleOf: (record: Full) => string
  /** Tells records of the same title apart, such as the company of a contact. */
  detailOf: (record: Full) => string
  /** A new record. The form holds its fields, in the order of `fields`. */
  blank: Readonly<Record<string, unknown>>
  /** Turns the fields as a person types them into what the server takes. */
  input: z.ZodMiniObject
}

type KindDescription<Row extends { id: string }, Full extends { id: string; version: number }> = Omit<RecordKind<Row>, 'titleOf'> &
  Omit<EditableKind<Full>, 'titleOf' | 'detailOf'> & { titleOf: (record: Row | Full) => string; detailOf: (record: Row | Full) => string }

/** Describes a kind of record: the one place where a feature says what its records are. Keeps the names of its fields and routes in the type. */
export const defineKind = <
  Row extends { id: string },
  Full extends { id: string; version: number },
  Blank extends Readonly<Record<string, unknown>>,
  Fields extends Record<keyof Blank & string, KindField>,
  Routes,
>(
  kind: KindDescription<Row, Full> & { blank: Blank; fields: Fields; routes: Routes },
): KindDescription<Row, Full> & { fields: Fields; routes: Routes } => kind

/** The address where a record is edited. */
export const editAddress = ({ path, editPath }: Pick<RecordKind<{ id: string }>, 'path' | 'editPath'>, id: string): string =>
  editPath?.(id) ?? `${path}/${id}/edit`

const systemFields: Readonly<Record<string, KindField>> = { created_at: { label: 'Added', required: true } }

/** A field of a kind by its name; those that every kind has included. */
export const fieldOf = ({ fields }: Pick<RecordKind<{ id: string }>, 'fields'>, name: string): KindField | undefined =>
  fields[name] ?? systemFields[name]

/** The label of a field, a column or a sort. */
export const labelOf = (kind: Pick<RecordKind<{ id: string }>, 'fields' | 'titleColumn'>, name: string): string =>
  fieldOf(kind, name)?.label ?? name.charAt(0).toUpperCase() + name.slice(1)

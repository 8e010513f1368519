import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { KindName } from '#contract/kinds.ts'
import type { Condition, Filters } from '#contract/lists.ts'
import type { Route } from '#contract/route.ts'
import type { ViewedList } from '#contract/views.ts'
import type { Icon } from '#web/lib/features.ts'
import type { Column } from '#web/ui/TableRow.tsx'

/** A value that is shown as an external link. */
export type ExternalType = 'website' | 'email' | 'phone'

/** Describes how screens show a field. */
export type KindField = {
  label: string
  /** The label in a bulk edit, if it differs. */
  bulkLabel?: string
  /** The values of a choice field, in display order. */
  choices?: readonly { value: string; label: string }[]
  /** The kind of the linked record. */
  linksTo?: KindName
  /** The field that stores the title of the linked record. */
  titleInto?: string
  /** The field is never empty: filters have no "is empty", and a bulk edit cannot clear it. */
  required?: boolean
  external?: ExternalType
  /** The timeline does not show the value, because it may be long. */
  long?: boolean
  /** Formats a value for the timeline. */
  format?: (value: unknown) => string | undefined
}

/** A column of a list. The defaults of label, sorting and cell come from the field of the same name. */
type KindColumn<Row> = Pick<Column<Row>, 'name'> &
  Partial<Pick<Column<Row>, 'label' | 'align' | 'cell'>> & {
    /** In px; smaller in windows below 1200 px. Columns without a width share the remaining width. */
    width?: number
    /** The column keeps its width in narrow windows, so that numbers are not truncated. */
    fixedWidth?: boolean
    /** The minimum window width in px at which the column is shown by default; `never`: only if the user selects it. */
    from?: number | 'never'
  }

/** A column of a list with all defaults filled in. */
export type ListColumn<Row> = Column<Row> & KindColumn<Row>

type Order = 'asc' | 'desc'

/** A sort of a list other than newest first. The default label comes from the field of the same name. */
type KindSort = { name: string; label?: string; ascending?: string; descending?: string }

type SelectionInput = {
  ids?: string[] | undefined
  matching?: { search?: string | undefined; filter?: Condition[] | undefined } | undefined
}
type SearchInput = { search?: string | undefined; filter?: string | undefined }
type PageInput = { sort?: string | undefined; order?: Order | undefined; after?: string | undefined; limit?: unknown }
type SchemaOfInput<In> = z.ZodMiniType<unknown, In>
type SchemaOfOutput<Out> = z.ZodMiniType<Out>

/** The routes that a list calls. `recordRoutes` and `tagRoutes` of the contract create them. */
export type ListRoutes<Row> = {
  list: Route & { query: SchemaOfInput<SearchInput & PageInput>; out: SchemaOfOutput<{ rows: Row[]; next: string | null }> }
  count: Route & { query: SchemaOfInput<SearchInput>; out: SchemaOfOutput<{ count: number; more: boolean }> }
  delete: Route & { params: SchemaOfInput<{ id: string }> }
  deleteMany: Route & { body: SchemaOfInput<SelectionInput> }
  editMany: Route & { body: SchemaOfInput<SelectionInput & { fields: object }> }
  export: Route & { body: SchemaOfInput<SelectionInput & { sort?: string | undefined; order?: Order | undefined }> }
  tags?: Route & { out: SchemaOfOutput<{ tags: { tag: string; count: number }[] }> }
  tagMany?: Route & { body: SchemaOfInput<SelectionInput & { add?: string[]; remove?: string[] }> }
  exportCards?: Route & { body: SchemaOfInput<SelectionInput> }
}

/** The routes that a form and a panel call. */
type EditRoutes<Full> = Pick<ListRoutes<unknown>, 'delete' | 'deleteMany'> & {
  get: Route & { params: SchemaOfInput<{ id: string }>; out: SchemaOfOutput<Full> }
  create: Route & { body: SchemaOfInput<object>; out: SchemaOfOutput<Full> }
  update: Route & { params: SchemaOfInput<{ id: string }>; body: SchemaOfInput<object>; out: SchemaOfOutput<Full> }
}

/** The parts of a record kind that lists, filters and bulk actions use. */
export type RecordKind<Row extends { id: string }> = {
  singular: KindName
  plural: ViewedList
  table: string
  /** The column of the title; also the name of the first column of the list. */
  titleColumn: string
  /** Other tables with data in the rows, such as the names of linked records. */
  shows: readonly string[]
  /** The path of the list: "/crm/contacts". A record has the path `/crm/contacts/ID`, a new one `/crm/contacts/new`. */
  path: string
  /** The path of the edit form; `/crm/contacts/ID/edit` by default. */
  editPath?: (id: string) => string
  /** A record opens over the list instead of on its own page. */
  opensOver?: true
  routes: ListRoutes<Row>
  titleOf: (row: Row) => string
  fields: Readonly<Record<string, KindField>>
  filters: Filters
  /** The fields of the filter menu, in display order. */
  filterFields: readonly string[]
  /** The fields of a bulk edit, in display order. */
  bulkFields: readonly string[]
  sorts: readonly KindSort[]
  /** Newest first by default. */
  defaultSort?: { sort: string; order: Order }
  /** The first column, which shows the title and cannot be hidden. On a phone it is the only column. */
  titleCell: {
    width?: number
    /** Shown before the title; by default an avatar if the kind has a `shape`. */
    picture?: (row: Row, reachable: boolean) => ReactNode
    /** The second line of a row on a phone. */
    secondLine: (row: Row) => ReactNode
  }
  columns: readonly KindColumn<Row>[]
  /** The searched fields: "name, email, phone or company". */
  searched: string
  /** The text of the list when there are no records. */
  emptyList: { title: string; words: string; motif?: ReactNode }
  /** Links in the menu of a row. */
  links?: (row: Row) => readonly { label: string; icon: Icon; href: string }[]
  /** Returns true for rows that are shown in a lighter colour. */
  faded?: (row: Row) => boolean
}

/** The parts of a record kind that forms and panels use. `Full` is the record that the route `get` returns. */
export type EditableKind<Full extends { id: string; version: number }> = Pick<
  RecordKind<{ id: string }>,
  'singular' | 'plural' | 'table' | 'shows' | 'path' | 'editPath' | 'fields' | 'filters'
> & {
  routes: EditRoutes<Full>
  titleOf: (record: Full) => string
  /** Distinguishes records with the same title, such as the company of a contact. */
  detailOf: (record: Full) => string
  /** The values of a new record. The form contains these fields, in the order of `fields`. */
  blank: Readonly<Record<string, unknown>>
  /** Converts form values to the values that the server accepts. */
  input: z.ZodMiniObject
}

type KindDescription<Row extends { id: string }, Full extends { id: string; version: number }> = Omit<RecordKind<Row>, 'titleOf'> &
  Omit<EditableKind<Full>, 'titleOf' | 'detailOf'> & { titleOf: (record: Row | Full) => string; detailOf: (record: Row | Full) => string }

/** Defines a record kind. The type keeps the names of its fields and routes. */
export const defineKind = <
  Row extends { id: string },
  Full extends { id: string; version: number },
  Blank extends Readonly<Record<string, unknown>>,
  Fields extends Record<keyof Blank & string, KindField>,
  Routes,
>(
  kind: KindDescription<Row, Full> & { blank: Blank; fields: Fields; routes: Routes },
): KindDescription<Row, Full> & { fields: Fields; routes: Routes } => kind

/** The path of the edit form of a record. */
export const editAddress = ({ path, editPath }: Pick<RecordKind<{ id: string }>, 'path' | 'editPath'>, id: string): string =>
  editPath?.(id) ?? `${path}/${id}/edit`

const systemFields: Readonly<Record<string, KindField>> = { created_at: { label: 'Added', required: true } }

/** Finds a field of a kind by name, including the system fields that all kinds have. */
export const fieldOf = ({ fields }: Pick<RecordKind<{ id: string }>, 'fields'>, name: string): KindField | undefined =>
  fields[name] ?? systemFields[name]

/** The label of a field, a column or a sort. */
export const labelOf = (kind: Pick<RecordKind<{ id: string }>, 'fields' | 'titleColumn'>, name: string): string =>
  fieldOf(kind, name)?.label ?? name.charAt(0).toUpperCase() + name.slice(1)

import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import type { KindName } from '#contract/kinds.ts'
import type { Condition, Filters } from '#contract/lists.ts'
import type { Route } from '#contract/route.ts'
import type { ViewedList } from '#contract/views.ts'
import type { Icon } from '#web/lib/features.ts'
import type { Column } from '#web/ui/TableRow.tsx'

/** An item in the menu of a row: a link, or an action that `onAction` of the list runs. */
export type MenuLink = { label: string; icon: Icon } & ({ href: string; opensNewTab?: true } | { action: string })

/** A value that is shown as a link which opens outside of the application. */
export type ExternalLinkType = 'website' | 'email' | 'phone'

/** Describes how screens show a field. */
export type KindField = {
  label: string
  /** The values of a choice field, in display order. */
  choices?: readonly { value: string; label: string }[]
  /** The kind of the linked record. */
  linksTo?: KindName
  /**
   * The name of another field of this kind, which stores the title of the linked record, or a text without a link. For the user,
   * both are one field with one label and one filter.
   */
  titleField?: string
  /** The field is never empty: filters have no "is empty", and a bulk edit cannot clear it. */
  required?: boolean
  /** Set if the value is shown as a link that another program opens, such as the mail program. */
  externalLink?: ExternalLinkType
  /** True for long texts. The timeline does not show their values. */
  isLong?: boolean
  /** Formats a value for the timeline. */
  format?: (value: unknown) => string | undefined
  /** Says what happened in a change with this label that wrote the field, in place of "Phone changed". */
  describeChange?: (label: string) => string | undefined
}

/** Describes a column of a list. Its label, sorting and cell come from the field with the same name unless they are set. */
type KindColumn<Row> = Pick<Column<Row>, 'name'> &
  Partial<Pick<Column<Row>, 'label' | 'align' | 'cell'>> & {
    /** The width in px in windows of at least 1200 px; narrower windows reduce it. Columns without a width share the remaining width. */
    width?: number
    /** The column keeps its width in narrow windows, so that numbers are not truncated. */
    hasFixedWidth?: boolean
    /** The column is shown by default only in windows of at least this width in px. */
    minWindowWidth?: number
    /** The column is shown only if the user selects it. */
    isHiddenByDefault?: boolean
  }

/** A column of a list, with its label, sorting and cell. */
export type ListColumn<Row> = Column<Row> & KindColumn<Row>

type Order = 'asc' | 'desc'

/** A sort of a list other than newest first. */
type KindSort = {
  name: string
  /** The label of the field with the same name by default. */
  label?: string
  /** The name of the ascending order; "A to Z" by default. */
  ascending?: string
  /** The name of the descending order; "Z to A" by default. */
  descending?: string
}

type SelectionInput = {
  ids?: string[] | undefined
  matching?: { search?: string | undefined; filter?: Condition[] | undefined } | undefined
}
type SearchInput = { search?: string | undefined; filter?: string | undefined }
type PageInput = { sort?: string | undefined; order?: Order | undefined; after?: string | undefined; limit?: unknown }
/** A schema of a part of a request, which accepts `In`. */
type SchemaOfInput<In> = z.ZodMiniType<unknown, In>
/** A schema of a response body, which returns `Out`. */
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
  /** Exports vCards for address books. Only contacts have this route. */
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
  /** Also the name under which the server stores the saved views of this list. */
  plural: ViewedList
  table: string
  /** The database column of the title, and the name of the first column of the list. */
  titleColumn: string
  /** Other tables whose data the rows contain, such as the names of linked records. A change in them refreshes the list. */
  relatedTables: readonly string[]
  /** The path of the list: "/crm/contacts". A record has the path `/crm/contacts/ID`, a new one `/crm/contacts/new`. */
  path: string
  /** The path of the edit form; `/crm/contacts/ID/edit` by default. */
  editPath?: (id: string) => string
  /** True if a record opens over the list instead of on its own page. Links to the record then keep the URL parameters of the list. */
  opensOverList?: true
  routes: ListRoutes<Row>
  titleOf: (row: Row) => string
  fields: Readonly<Record<string, KindField>>
  filters: Filters
  /** The fields of the filter menu, in display order. */
  filterFields: readonly string[]
  /** The fields of a bulk edit, in display order. */
  bulkFields: readonly string[]
  /** Returns the address of the screen that merges two records. Missing for kinds whose records cannot be merged. */
  mergeAddress?: (id: string, otherId: string) => string
  sorts: readonly KindSort[]
  /** The sort if the URL of the list contains no sort; newest first if undefined. */
  defaultSort?: { sort: string; order: Order }
  /**
   * Only for a list with tabs that opens in a tab with some of the records, such as today's tasks: the URL parameters of the list of all
   * records. Saved views are opened with these parameters.
   */
  wholeListParameters?: Readonly<Record<string, string>>
  /**
   * Only for the list of a tab that shows some of the records and has its own default sort: the kind of the list of all records. A saved
   * view is opened in the list of all records, so its address leaves out the default sort of that list.
   */
  wholeListKind?: Pick<RecordKind<Row>, 'sorts' | 'defaultSort' | 'filters'>
  /** The first column, which shows the title and cannot be hidden. On a phone it is the only column. */
  titleCell: {
    /** In px. */
    width?: number
    /** Shown before the title. By default this is an avatar, if the feature of the kind sets the `shape` of its avatars. */
    picture?: (row: Row, isInTabOrder: boolean) => ReactNode
    /** The second line of a row on a phone. */
    secondLine: (row: Row) => ReactNode
  }
  columns: readonly KindColumn<Row>[]
  /** The fields that a search reads, as text for the user: "name, email, phone or company". */
  searchedFields: string
  /**
   * What a list without records shows. `illustrationShapes`: additional shapes in the illustration. `startsWithImport`: the primary button
   * imports a file, because users usually have such records in a file already.
   */
  emptyList: { title: string; text: string; illustrationShapes?: ReactNode; startsWithImport?: true }
  /** Links in the menu of a row, for example to write an email or to call. */
  menuLinks?: (row: Row) => readonly MenuLink[]
  /** Returns true for a row that is shown in pale colours, such as a completed task. */
  isFaded?: (row: Row) => boolean
}

/**
 * The parts of a record kind that forms and panels use. `Full` is the record that the route `get` returns, with all fields; a `Row` of a
 * list has only some of them.
 */
export type EditableKind<Full extends { id: string; version: number }> = Pick<
  RecordKind<{ id: string }>,
  'singular' | 'plural' | 'table' | 'relatedTables' | 'path' | 'editPath' | 'fields' | 'filters'
> & {
  routes: EditRoutes<Full>
  titleOf: (record: Full) => string
  /** Distinguishes records with the same title, such as the company of a contact. */
  detailOf: (record: Full) => string
  /** Returns the details that the toast of a new record shows below its title: "Due Friday 27 November 2026". */
  describeCreated?: (record: Full) => string | undefined
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

/**
 * Creates the schema of a link field. Its value is the id of the linked record, null, or the typed text while no record is selected. The
 * schema refuses such a text.
 */
export const linkFromText = (to: KindName) => z.nullable(z.uuid(`Choose a ${to} from the list, or leave this empty`))

/**
 * Returns the router's `search` for links from a list to its records: `true` keeps the URL parameters of the list, undefined drops them.
 */
export const getLinkSearch = ({ opensOverList }: Pick<RecordKind<{ id: string }>, 'opensOverList'>): true | undefined => opensOverList

/** The path of the edit form of a record. */
export const getEditAddress = ({ path, editPath }: Pick<RecordKind<{ id: string }>, 'path' | 'editPath'>, id: string): string =>
  editPath?.(id) ?? `${path}/${id}/edit`

const systemFields: Readonly<Record<string, KindField>> = { created_at: { label: 'Added', required: true } }

/** Finds a field of a kind by name, including the system fields that all kinds have. */
export const getField = ({ fields }: Pick<RecordKind<{ id: string }>, 'fields'>, name: string): KindField | undefined =>
  fields[name] ?? systemFields[name]

/** The label of a field, a column or a sort. */
export const getLabel = (kind: Pick<RecordKind<{ id: string }>, 'fields' | 'titleColumn'>, name: string): string =>
  getField(kind, name)?.label ?? name.charAt(0).toUpperCase() + name.slice(1)

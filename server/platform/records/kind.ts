import type { Problem } from '#contract/errors.ts'
import type { Filters } from '#contract/lists.ts'
import type { Row } from '#server/platform/database/batch.ts'

/** A column that lists are sorted by, as its index has it, and the type that a cursor is compared in. */
export type SortColumn = {
  column: string
  type: 'text' | 'int' | 'numeric' | 'date' | 'timestamptz'
  /** The condition for rows without a value; those come last in both orders. */
  empty: "= ''" | 'is null'
}

/** A kind's words, its table, and the column of a record's title, as `contract/kinds.ts` has them. */
type Words = { singular: string; plural: string; table: string; titleColumn: string }

/** A foreign key: the field that holds it, the kind that it leads to, and the name under which a record shows the linked title. */
export type Link = { field: string; to: Words; titleAs?: string }

type SearchResult = {
  title: string
  detail: string
  /** The column of the title, where lists are sorted by it: its index finds the records whose title begins with the search. */
  sorted?: 'name' | 'title'
  /** The link to the record on whose page it is shown, where it has none of its own. */
  on?: Link
}

/** Values by column. */
export type Fields = Readonly<Record<string, unknown>>

/** Rules that the verbs apply to every write of a kind, whoever calls them. */
type Rules = {
  /** Columns that follow from the fields of a new record or an edit, for each of `writes`; runs before the write and may read. */
  derive?: (owner: string, writes: readonly Fields[]) => Promise<readonly Fields[]>
  /** Throws a refusal for fields that the record `id` may not have. A new record may be without an id. */
  refuse?: (id: string | undefined, fields: Fields) => void
  /** Runs in the transaction of an edit, before it; refuses by raising one of `constraints`. */
  check?: (ids: readonly string[], fields: Fields) => Promise<unknown> | undefined
  /** Fields and sentences for constraints of the database other than links, by the name of the constraint. */
  constraints?: Readonly<Record<string, { field: string; message: string }>>
  /** SQL for the label of an edit, evaluated on the row `c` before it; null keeps the usual label. */
  editLabel?: (fields: Fields) => string | undefined
  duplicates?: {
    /** Inserts the record unless there is a duplicate; answers nothing then. */
    insert: <R extends Row>(owner: string, id: string, columns: Fields) => Promise<R | undefined>
    find: (owner: string, columns: Fields) => Promise<NonNullable<Problem['matches']>>
  }
}

/** A kind of record in the database. Row security guards `table`; `find` is the plain view of it that searches go through. */
export type RecordKind = Words &
  Rules & {
    find: string
    /** The title of a record from all of its columns: for the trash and the history, where the record may be gone. */
    titleOf: (columns: Row) => string
    /** How search shows a record, as SQL of `c`. */
    searchResult: SearchResult
    /** The values of a new record for fields that are left out, derived columns included. */
    defaults: Fields
    /** The SQL columns of a record and of a row of its list, of `c`. */
    columns: string
    rowColumns: string
    /** The SQL of each column of an export, of `c`. */
    exportColumns: Readonly<Record<string, string>>
    /** Every sort but `newest`. */
    sorts: Readonly<Record<string, SortColumn>>
    /** The fields of conditions; each has a column of its name. */
    filters: Filters
    /** The foreign keys, by the name of their constraints. */
    links: Readonly<Record<string, Link>>
    /** The fields whose changes appear in the timelines of linked records. */
    timelineFields?: readonly string[]
  }

/** Sorted in the alphabetical order of all languages, ignoring case. */
export const namedSort = (column: string): SortColumn => ({ column: `${column} collate "und-x-icu"`, type: 'text', empty: "= ''" })

/** The title of the record that the row `c` is linked to, as SQL; empty without a link. */
export const linkedTitle = ({ field, to }: Link): string =>
  `coalesce((select l.${to.titleColumn} from ${to.table} l where l.user_id = c.user_id and l.id = c.${field}), '')`

type Schema = { shape: object }

type Description = Omit<RecordKind, 'find' | 'defaults' | 'columns' | 'rowColumns' | 'exportColumns'> & {
  /** The contract's schemas of a record and of a row of its list, and the columns of an export. */
  Full: Schema
  Row: Schema
  exported: readonly string[]
  /** SQL of `c` for names that are neither a column nor the title of a linked record. */
  computed?: Readonly<Record<string, string>>
  /** A record without values. */
  empty: object
  /** The columns that `derive` sets, with their values in a record without values. */
  emptyDerived?: Fields
}

/** A kind of record with the columns that its contract names. */
export function defineKind({ Full, Row, exported, computed: described = {}, empty, emptyDerived = {}, ...kind }: Description): RecordKind {
  const titles = Object.values(kind.links).flatMap((link) => (link.titleAs === undefined ? [] : [[link.titleAs, linkedTitle(link)]]))
  const computed: Readonly<Record<string, string>> = { ...Object.fromEntries(titles), ...described }
  const columnOf = (name: string): string => computed[name] ?? `c.${name}`
  const select = ({ shape }: Schema): string =>
    Object.keys(shape)
      .map((name) => (name in computed ? `${computed[name]} as ${name}` : columnOf(name)))
      .join(', ')
  return {
    ...kind,
    find: `${kind.table}_find`,
    defaults: { ...empty, ...emptyDerived },
    columns: select(Full),
    rowColumns: select(Row),
    exportColumns: Object.fromEntries(exported.map((name) => [name, columnOf(name)])),
  }
}

import type { Filters } from '#contract/lists.ts'
import type { Row } from '#server/platform/database/batch.ts'

/** What a list can be sorted by: a column as its index has it, and the type by which a page's end is compared. */
export type SortColumn = {
  column: string
  type: 'text' | 'int' | 'numeric' | 'date' | 'timestamptz'
  /** How a row without a value is known; those come last, whichever the order. */
  empty: "= ''" | 'is null'
}

/** A kind's words, its table, and the column of a record's title, as `contract/kinds.ts` has them. */
type Words = { singular: string; plural: string; table: string; titleColumn: string }

/** A foreign key: the field that holds it, the kind that it leads to, and the name under which a record shows the title behind it. */
export type Link = { field: string; to: Words; titleAs?: string }

type Found = {
  title: string
  detail: string
  /** The column of the title, where lists are sorted by it: then an index finds what begins as it was typed. */
  sorted?: 'name' | 'title'
  /** The link to the record on whose page it is shown, where it has none of its own. */
  on?: Link
}

/** A kind of record as the database has it. Row security guards `table`; `find` is the plain view of it that searches go through. */
export type RecordKind = Words & {
  find: string
  /** How a record is called, by all of its columns: in the trash and in what was done last. */
  nameOf: (columns: Row) => string
  /** How the palette shows a record, as SQL of `c`: its title, and what tells it from others of that name. */
  found: Found
  /** What a person writes. */
  writable: readonly string[]
  /** A record of which nothing is known yet. */
  empty: object
  /** What a record and what a row of its list show, of `c`. */
  columns: string
  rowColumns: string
  /** What a line of an export holds, of `c`, by the names of its columns. */
  exportColumns: Readonly<Record<string, string>>
  /** Every sort but `newest`. */
  sorts: Readonly<Record<string, SortColumn>>
  /** What can be asked for; each field has a column of its name. */
  filters: Filters
  /** The foreign keys, by the name of their constraints. */
  links: Readonly<Record<string, Link>>
  /** Asked before records get these fields, in the same transaction. It refuses by one of the rules. */
  check?: (ids: readonly string[], fields: Readonly<Record<string, unknown>>) => Promise<unknown> | undefined
  /** What the database refuses beside broken links, by the name of the constraint: which field is wrong, and a sentence. */
  rules?: Readonly<Record<string, { field: string; says: string }>>
  /** The fields whose changes stand in the timelines of linked records. */
  timelineFields?: readonly string[]
}

/** The title of the record that the row `c` is linked to, as SQL; empty without a link. */
export const linkedTitle = ({ field, to }: Link): string =>
  `coalesce((select l.${to.titleColumn} from ${to.table} l where l.user_id = c.user_id and l.id = c.${field}), '')`

/** Sorted as people sort names, whatever the letters and their case. */
export const namedSort = (column: string): SortColumn => ({ column: `${column} collate "und-x-icu"`, type: 'text', empty: "= ''" })

type Schema = { shape: object }

type Described = Omit<RecordKind, 'find' | 'writable' | 'columns' | 'rowColumns' | 'exportColumns'> & {
  /** The contract's: a record, a row of its list, the columns of an export. */
  Kept: Schema
  Row: Schema
  exported: readonly string[]
  /** What is neither a column of the table nor the title of a linked record, as SQL of `c`. */
  computed?: Readonly<Record<string, string>>
  /** Columns that are written beside the fields of an empty record. */
  alsoWritten?: readonly string[]
}

/** A kind of record of the columns that its contract names. */
export function defineKind({ Kept, Row, exported, computed: described = {}, alsoWritten = [], ...kind }: Described): RecordKind {
  const titled = Object.values(kind.links).flatMap((link) => (link.titleAs === undefined ? [] : [[link.titleAs, linkedTitle(link)]]))
  const computed: Readonly<Record<string, string>> = { ...Object.fromEntries(titled), ...described }
  const columnOf = (name: string): string => computed[name] ?? `c.${name}`
  const select = ({ shape }: Schema): string =>
    Object.keys(shape)
      .map((name) => (name in computed ? `${computed[name]} as ${name}` : columnOf(name)))
      .join(', ')
  return {
    ...kind,
    find: `${kind.table}_find`,
    writable: [...Object.keys(kind.empty), ...alsoWritten],
    columns: select(Kept),
    rowColumns: select(Row),
    exportColumns: Object.fromEntries(exported.map((name) => [name, columnOf(name)])),
  }
}

import type { Problem } from '#contract/errors.ts'
import type { Condition, Filters, Passage } from '#contract/lists.ts'
import type { Row } from '#server/platform/database/batch.ts'

/** A sort of a list: the indexed SQL expression, and the type in which cursors are compared. */
export type SortColumn = {
  column: string
  type: 'text' | 'int' | 'bigint' | 'numeric' | 'date' | 'timestamptz'
  /** The SQL after `column` in a condition for rows without a value, such as `due_date is null`. These rows come last in both orders. */
  emptyCondition: "= ''" | 'is null'
}

/** The names, table and title column of a kind, from `contract/kinds.ts`. */
type KindDefinition = { singular: string; plural: string; table: string; titleColumn: string }

/** A foreign key: its field, the referenced kind `to`, and `titleField`, the response field with the title of the referenced record. */
export type Link = { field: string; to: KindDefinition; titleField?: string }

/** How the search of the command palette shows a record. `title` and `detail` are SQL for its two texts. */
type SearchResult = {
  title: string
  detail: string
  /**
   * The title column, if lists can be sorted by it. The search uses the index of this sort for titles that start with the searched text.
   */
  sortColumn?: 'name' | 'title' | 'file_name'
  /** The link to the record whose page shows this record, if this record has no page of its own. */
  shownOn?: Link
}

/** Texts outside of the table in which a search also finds records, such as the contents of files. */
export type FullText = {
  /** The column of the find view that links a record to its text. */
  column: string
  /** Returns SQL that selects the values of the column whose text has all searched words. `search` is SQL for what was typed. */
  find: (search: string) => string
  /** Returns the passages with the searched words by the ids of the records. */
  readPassages: (owner: string, ids: readonly string[], search: string) => Promise<ReadonlyMap<string, Passage>>
}

/** The values of a record by column. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * Columns of a new record that its INSERT computes. `fields`: the fields from which they are computed. `columns`: the SQL of each column.
 */
type InsertSql = {
  fields: readonly string[]
  columns: (placeholder: (column: string) => string) => Readonly<Record<string, string>>
}

/** Rules of a kind. The functions of verbs.ts apply them to every write, for every caller. */
type Rules = {
  /**
   * Returns the columns that are computed from the fields of each new record or edit in `writes`. Runs before the write and may read. `id`
   * is undefined for a new record and for a bulk edit.
   */
  derive?: (owner: string, writes: readonly Fields[], id: string | undefined) => Promise<readonly Fields[]>
  /**
   * Returns SQL for columns of a new record that depend on other records, such as the name of a linked company; undefined if there are
   * none. With it, no read is needed before the insert, so `derive` does not get these `fields`. In the SQL, `$1` is the owner, and
   * `placeholder(column)` is the value of a column.
   */
  deriveInInsert?: (columns: Fields) => InsertSql | undefined
  /**
   * Returns error messages by field if the fields are not allowed for the record. `id` is undefined for a bulk edit, and for a new record
   * whose id was not chosen by the client.
   */
  refuse?: (id: string | undefined, fields: Fields) => Readonly<Record<string, string>> | undefined
  /**
   * Runs in the transaction of an edit, before the update. To refuse the edit it raises a database error with the name of one of
   * `constraints`.
   */
  check?: (ids: readonly string[], fields: Fields) => Promise<unknown> | undefined
  /**
   * Runs in the transaction of a restore. Returns fields that the restored record must get, such as a free name; undefined if it stays as it
   * was. The record may be of another kind, so there may be none with this id.
   */
  fieldsAfterRestore?: (owner: string, id: string) => Promise<Fields | undefined>
  /** Runs in the transaction of a new record, before the insert, and refuses like `check`. */
  checkNew?: (columns: Fields) => Promise<unknown>
  /**
   * The field and the error message of database constraints other than links, by the name of the constraint. The code is `invalid` by
   * default.
   */
  constraints?: Readonly<Record<string, { field: string; message: string; code?: 'duplicate' }>>
  /** Fields whose edit may take long, because a trigger then changes all records that depend on them. */
  slowFields?: readonly string[]
  /** SQL for the label of an edit, evaluated on the row `c` before the update; null keeps the default label. */
  editLabel?: (fields: Fields) => string | undefined
  /** Only for kinds that refuse duplicates. */
  duplicates?: {
    /** Inserts the record and returns it. Returns undefined and inserts nothing if there is a duplicate. */
    insert: <R extends Row>(owner: string, id: string, columns: Fields) => Promise<R | undefined>
    /** Returns the records that the new record would duplicate. */
    find: (owner: string, columns: Fields) => Promise<NonNullable<Problem['matches']>>
  }
}

/** A record kind in the database. Row security applies to `table`. Lists with conditions, searches and bulk actions read `findView`. */
export type RecordKind = KindDefinition &
  Rules & {
    findView: string
    /** Returns the title of a record from its columns. Used for trash and history, where the record may not exist any more. */
    titleOf: (columns: Row) => string
    /** In its SQL the table is `c`. */
    searchResult: SearchResult
    fullText?: FullText
    /** The default values of all fields and derived columns of a new record. */
    defaults: Fields
    /** SQL for the columns of a record; the table is `c`. */
    columns: string
    /** SQL for the columns of a row in the list; the table is `c`. */
    rowColumns: string
    /** SQL for each column of an export; the table is `c`. */
    exportColumns: Readonly<Record<string, string>>
    /** All sorts except `newest`. */
    sorts: Readonly<Record<string, SortColumn>>
    /** The filters by the name of their column, or by a name that `resolveFilter` knows. */
    filters: Filters
    /**
     * The text columns with an index on `app.fold(column)`, which finds equal texts. It may leave out rows in which the column is empty.
     */
    foldedColumns?: readonly string[]
    /**
     * Replaces conditions that are not about a column by conditions on columns: for example, "below this folder" by the ids of all folders
     * below it. May read from the database.
     */
    resolveFilter?: (owner: string, filter: readonly Condition[]) => Promise<readonly Condition[]>
    /** The links to other records. The keys are the names of the foreign key constraints in the database, such as `deals_contact`. */
    linksByConstraint: Readonly<Record<string, Link>>
    /** The fields whose changes appear in the timelines of linked records. */
    timelineFields?: readonly string[]
  }

/** Returns a sort of texts in the alphabetical order of Unicode (ICU root collation). */
export const createTextSort = (column: string): SortColumn => ({
  column: `${column} collate "und-x-icu"`,
  type: 'text',
  emptyCondition: "= ''",
})

/** Returns SQL for the title of the record `l` that the row `c` is linked to; empty if there is no link. */
export const createTitleSql = ({ field, to }: Link): string =>
  `coalesce((select l.${to.titleColumn} from ${to.table} l where l.user_id = c.user_id and l.id = c.${field}), '')`

type Schema = { shape: object }

type Description = Omit<RecordKind, 'findView' | 'defaults' | 'columns' | 'rowColumns' | 'exportColumns'> & {
  /** The contract's schema of a record with all of its fields. */
  FullRecord: Schema
  /** The contract's schema of a row in the list. */
  Row: Schema
  exportColumnNames: readonly string[]
  /** SQL for fields that are neither a column nor the title of a linked record; the table is `c`. */
  computedColumns?: Readonly<Record<string, string>>
  /** The contract's fields of a record without values. */
  emptyRecord: object
  /** The values of derived columns in a record without values. */
  emptyDerived?: Fields
}

/** Creates a record kind with the columns of its contract. */
export function defineKind({
  FullRecord,
  Row,
  exportColumnNames,
  computedColumns = {},
  emptyRecord,
  emptyDerived = {},
  ...kind
}: Description): RecordKind {
  const titles = Object.values(kind.linksByConstraint).flatMap((link) =>
    link.titleField === undefined ? [] : [[link.titleField, createTitleSql(link)]],
  )
  const computedSql: Readonly<Record<string, string>> = { ...Object.fromEntries(titles), ...computedColumns }
  const toColumnSql = (name: string): string => computedSql[name] ?? `c.${name}`
  const toSelectList = ({ shape }: Schema): string =>
    Object.keys(shape)
      .map((name) => (name in computedSql ? `${computedSql[name]} as ${name}` : toColumnSql(name)))
      .join(', ')
  return {
    ...kind,
    findView: `${kind.table}_find`,
    defaults: { ...emptyRecord, ...emptyDerived },
    columns: toSelectList(FullRecord),
    rowColumns: toSelectList(Row),
    exportColumns: Object.fromEntries(exportColumnNames.map((name) => [name, toColumnSql(name)])),
  }
}

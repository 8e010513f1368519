import type { Filters } from '#contract/lists.ts'

/** What a list can be sorted by: a column as its index has it, and the type by which a page's end is compared. */
export type SortColumn = {
  column: string
  type: 'text' | 'int' | 'numeric' | 'date' | 'timestamptz'
  /** How a row without a value is known; those come last, whichever the order. */
  empty: "= ''" | 'is null'
}

/** A kind of record as the database has it. Row security guards `table`; `find` is the plain view of it that searches go through. */
export type RecordKind = {
  /** "company" and "companies": what changes are called. */
  one: string
  many: string
  table: string
  find: string
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
  /** The foreign keys: which field holds the link, and what it leads to ("contact"). */
  links: Readonly<Record<string, { field: string; to: string }>>
}

/** Sorted as people sort names, whatever the letters and their case. */
export const namedSort = (column: string): SortColumn => ({ column: `${column} collate "und-x-icu"`, type: 'text', empty: "= ''" })

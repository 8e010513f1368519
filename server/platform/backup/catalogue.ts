// Reads from PostgreSQL's catalogs what a backup needs to know. SQL aliases: `c` is a table, sequence or partition and `n` its schema. In
// `listTables`, `k` is a foreign key, `p` the table to which it refers, and `s` the schema of that table.
import type pg from 'pg'
import { isOwnObject, tableExists } from '#server/platform/database/schema.ts'
import type { Manifest } from './manifest.ts'

/** A table whose rows are part of a backup. Its name and columns are quoted where SQL requires it. */
export type Table = {
  name: string
  columns: string[]
  /** The SQL expressions that read the columns, in the same order. */
  expressions: string[]
  /** The tables that must be loaded before this table, because its foreign keys refer to them and are checked immediately. */
  parents: string[]
}

/**
 * Returns all tables of Foyer whose rows belong to a backup, each after its parents. A partitioned table has the rows of its partitions.
 * Generated columns are left out, and transaction numbers are written as null, because they have no meaning on another server.
 */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select format('%I.%I', n.nspname, c.relname) as name, a.columns, a.expressions,
       array(select format('%I.%I', s.nspname, p.relname) from pg_constraint k
         join pg_class p on p.oid = k.confrelid join pg_namespace s on s.oid = p.relnamespace
         where k.conrelid = c.oid and k.contype = 'f' and not k.condeferrable) as parents
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     cross join lateral (
       select array_agg(quote_ident(attname) order by attnum) as columns,
         array_agg(case atttypid when 'xid8'::regtype then 'null' else quote_ident(attname) end order by attnum) as expressions
       from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
     ) a
     where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p' and ${isOwnObject('c.oid', 'pg_class')}
     order by 1`,
  )
  return sortParentsFirst(rows)
}

/** Returns the last values of the sequences that have been used. */
export async function listSequences(client: pg.Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<Manifest['sequences'][number]>(
    `select format('%I.%I', n.nspname, c.relname) as name, s.last_value::text as value
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_sequences s on s.schemaname = n.nspname and s.sequencename = c.relname
     where c.relkind = 'S' and s.last_value is not null and ${isOwnObject('c.oid', 'pg_class')} order by 1`,
  )
  return rows
}

/** Returns the months (YYYYMM) for which the journal has a partition. */
export async function listJournalMonths(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ month: string }>(
    `select substring(c.relname from '^journal_(\\d{6})$') as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'public.journal'::regclass and c.relname ~ '^journal_\\d{6}$' order by 1`,
  )
  return rows.map(({ month }) => month)
}

/** Returns the migrations that were run on the database; none for a new database. */
export async function listMigrations(client: pg.Client): Promise<Manifest['migrations']> {
  if (!(await tableExists(client, 'app.migrations'))) return []
  const { rows } = await client.query<Manifest['migrations'][number]>('select name, checksum from app.migrations order by name')
  return rows
}

/** Returns whether the database has any user; false for a new database without tables. */
export async function hasUsers(client: pg.Client): Promise<boolean> {
  if (!(await tableExists(client, 'public.users'))) return false
  return (await client.query('select from users limit 1')).rowCount === 1
}

/** Sorts tables so that each comes after its parents. */
function sortParentsFirst(tables: Table[]): Table[] {
  const sorted: Table[] = []
  const isSorted = (name: string): boolean => sorted.some((table) => table.name === name)
  while (sorted.length < tables.length) {
    const next = tables.filter(({ name, parents }) => !isSorted(name) && parents.every(isSorted))
    if (next.length === 0) throw new Error('The foreign keys of some tables form a circle: make one of them deferrable')
    sorted.push(...next)
  }
  return sorted
}

import type pg from 'pg'
import { isOwnObject } from '#server/platform/database/snapshot.ts'
import type { Manifest } from './manifest.ts'

/** A table whose rows are part of a backup. Its name and columns are quoted where SQL requires it. */
export type Table = {
  name: string
  columns: string[]
  /** The SQL expression that reads each column. */
  values: string[]
  parents: string[]
}

/**
 * Returns all our tables with rows, each after the tables that its foreign keys refer to. Generated columns are left out, and transaction
 * numbers are null, because they are of no use in another cluster.
 */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select format('%I.%I', n.nspname, c.relname) as name, a.columns, a.values,
       array(select format('%I.%I', s.nspname, p.relname) from pg_constraint k
         join pg_class p on p.oid = k.confrelid join pg_namespace s on s.oid = p.relnamespace
         where k.conrelid = c.oid and k.contype = 'f' and not k.condeferrable) as parents
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     cross join lateral (
       select array_agg(quote_ident(attname) order by attnum) as columns,
         array_agg(case atttypid when 'xid8'::regtype then 'null' else quote_ident(attname) end order by attnum) as values
       from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
     ) a
     where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p' and ${isOwnObject('c.oid', 'pg_class')}
     order by 1`,
  )
  return parentsFirst(rows)
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

export async function listJournalMonths(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ month: string }>(
    `select substring(c.relname from '^journal_(\\d{6})$') as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'public.journal'::regclass and c.relname ~ '^journal_\\d{6}$' order by 1`,
  )
  return rows.map(({ month }) => month)
}

/** Returns the migrations that were run on the database; none for a new database. */
export async function listMigrations(client: pg.Client): Promise<Manifest['migrations']> {
  if (!(await isThere(client, 'app.migrations'))) return []
  const { rows } = await client.query<Manifest['migrations'][number]>('select name, checksum from app.migrations order by name')
  return rows
}

export async function hasUsers(client: pg.Client): Promise<boolean> {
  if (!(await isThere(client, 'public.users'))) return false
  return (await client.query('select from users limit 1')).rowCount === 1
}

async function isThere(client: pg.Client, table: string): Promise<boolean> {
  return (await client.query('select where to_regclass($1) is not null', [table])).rowCount === 1
}

function parentsFirst(tables: Table[]): Table[] {
  const placed: Table[] = []
  const isPlaced = (name: string): boolean => placed.some((table) => table.name === name)
  while (placed.length < tables.length) {
    const next = tables.filter(({ name, parents }) => !isPlaced(name) && parents.every(isPlaced))
    if (next.length === 0) throw new Error('Tables point at each other in a circle: make one of the foreign keys deferrable')
    placed.push(...next)
  }
  return placed
}

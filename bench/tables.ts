// Copies the product's tables for the bare server, which the benchmark compares the product with.
import pg from 'pg'

/** The tables of records, in an order in which the foreign keys of a table refer only to tables before it. */
const recordTables = ['companies', 'crm_contacts', 'notes', 'deals', 'tasks']

/**
 * Copies the tables into the schema `bare` with their columns, constraints, indexes and rows, but without row security and triggers. In
 * `tables`, each table comes after the tables to which its foreign keys refer.
 */
export async function copyToBareTables(client: pg.ClientBase, tables: readonly string[] = recordTables): Promise<void> {
  await client.query('create schema bare')
  for (const table of tables) {
    const { columns, options, foreignKeys } = await describeTable(client, table)
    await client.query(`create table bare.${table} (like public.${table} including all) ${options && `with (${options})`}`)
    await client.query(`insert into bare.${table} (${columns}) select ${columns} from public.${table}`)
    await client.query('set search_path = bare, public') // so that the copied foreign keys refer to the tables of the schema `bare`
    for (const key of foreignKeys) await client.query(`alter table bare.${table} add ${key}`)
    await client.query('reset search_path')
  }
}

/** `columns` are the names of the columns without generated ones; `options` are storage options such as the fill factor. */
type Description = { columns: string; options: string; foreignKeys: string[] }

async function describeTable(client: pg.ClientBase, table: string): Promise<Description> {
  const { rows } = await client.query<Description>(
    `select string_agg(attname, ', ' order by attnum) as columns,
       (select coalesce(array_to_string(reloptions, ', '), '') from pg_class where oid = $1::regclass) as options,
       array(select pg_get_constraintdef(oid) from pg_constraint where conrelid = $1::regclass and contype = 'f') as "foreignKeys"
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [`public.${table}`],
  )
  const [description] = rows
  if (!description) throw new Error(`There is no table ${table}`)
  return description
}

/** Vacuums and analyzes the record tables of both schemas and writes a checkpoint, so that PostgreSQL does not do so while measuring. */
export async function vacuumAndCheckpoint(client: pg.Client): Promise<void> {
  for (const schema of ['public', 'bare']) for (const table of recordTables) await client.query(`vacuum (analyze) ${schema}.${table}`)
  const administrator = new pg.Client({ host: client.host, user: 'postgres', database: 'postgres' })
  await administrator.connect()
  await administrator.query('checkpoint')
  await administrator.end()
}

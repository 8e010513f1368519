import { createHash } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { Row } from '#server/platform/database/batch.ts'

/** Creates a database without tables. Returns the connection of the role that will own them. */
export async function createEmptyDatabase(): Promise<pg.ClientConfig> {
  const { host } = inject('postgres')
  const database = `empty_${process.pid}_${process.hrtime.bigint()}`
  await queryAs({ host, user: 'postgres', database: 'postgres' }, `create database ${database} owner foyer`)
  return { host, database, user: 'foyer' }
}

/** Runs one statement on a new connection. */
export async function queryAs(connection: pg.ClientConfig, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/**
 * Returns the number of rows and a checksum of each table that survives a crash, to compare an installation with its copy. Leaves out the
 * column `xid`, which is null in a copy, and the table `record_use`, which the server still writes a second after a request.
 */
export async function computeChecksums(tableOwner: pg.ClientConfig): Promise<Record<string, string>> {
  const tables = await queryAs(
    tableOwner,
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace = any ('{public,app,jobs}'::regnamespace[]) and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p' and c.relname <> 'record_use'
     order by 1`,
  )
  const checksums: Record<string, string> = {}
  for (const { name } of tables) {
    const rows = await queryAs(tableOwner, `select (to_jsonb(t) - 'xid')::text as row from ${String(name)} t order by 1`)
    checksums[String(name)] = `${rows.length} ${createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 16)}`
  }
  return checksums
}

import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from } from 'pg-copy-streams'
import { readArchive, type Contents } from './archive.ts'
import { writeFile, type Installation } from './files.ts'
import { fileFolder, tableFolder } from './manifest.ts'

/**
 * Writes all rows and files of a checked backup, or nothing if an error occurs. The database must have the tables of the backup and no
 * users. `client` is connected as the role that owns the tables, which need not be a superuser.
 */
export async function loadArchive(client: pg.Client, file: string, contents: Contents, installation: Installation): Promise<void> {
  const writtenPaths: string[] = []
  try {
    await client.query('begin')
    await prepareTables(client, contents)
    const counts = new Map<string, number>()
    for await (const { name, body } of readArchive(file)) {
      if (name.startsWith(fileFolder)) {
        const path = await writeFile(name.slice(fileFolder.length), body, installation)
        if (path) writtenPaths.push(path)
      }
      const table = contents.tables.find((candidate) => name.startsWith(`${tableFolder}${candidate.name}/`))
      if (table) counts.set(table.name, (counts.get(table.name) ?? 0) + (await copyRows(client, table, body)))
    }
    await finishTables(client, contents, counts)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {}) // fails when the connection is lost; the first error is reported
    await Promise.all(writtenPaths.map((writtenPath) => rm(writtenPath, { force: true })))
    throw error
  }
}

/** Empties the tables, disables their triggers, defers constraints until all rows are loaded, and creates the partitions of the journal. */
async function prepareTables(client: pg.Client, { tables, journalMonths }: Contents): Promise<void> {
  await client.query('set constraints all deferred')
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`)
  const { rows } = await client.query<{ statement: string }>(
    `select format('create table if not exists public.journal_%s partition of public.journal for values from (%L) to (%L)',
       name, app.uuid_floor(month), app.uuid_floor(month + interval '1 month')) as statement
     from (select name, to_timestamp(name || ' UTC', 'YYYYMM TZ') as month from unnest($1::text[]) name) months`,
    [journalMonths],
  )
  for (const { statement } of rows) await client.query(statement)
}

/** Inserts rows in the text format of COPY. Returns their number. */
async function copyRows(client: pg.Client, { name, columns }: Contents['tables'][number], rows: AsyncIterable<Buffer>): Promise<number> {
  const target = client.query(from(`copy ${name} (${columns.join(', ')}) from stdin`))
  await pipeline(rows, target)
  return target.rowCount
}

/** Checks the numbers of rows and all constraints, enables the triggers, and sets the sequences. */
async function finishTables(client: pg.Client, contents: Contents, counts: Map<string, number>): Promise<void> {
  for (const [name, count] of Object.entries(contents.rows)) {
    if ((counts.get(name) ?? 0) !== count)
      throw new Error(`${name} has ${counts.get(name) ?? 0} rows after the restore, but the backup has ${count}`)
  }
  await client.query('set constraints all immediate') // tables with deferred checks cannot be altered
  for (const { name } of contents.tables) await client.query(`alter table ${name} enable trigger user`)
  for (const { name, value } of contents.sequences) await client.query('select setval($1::regclass, $2)', [name, value])
}

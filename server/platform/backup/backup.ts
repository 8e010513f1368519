// Writes an installation into one file: a gzipped tar of the rows of one snapshot, the key and the files. It can be restored into any
// PostgreSQL.
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to } from 'pg-copy-streams'
import { OperatorError } from '../operator-error.ts'
import { listJournalMonths, listMigrations, listSequences, listTables, type Table } from './catalogue.ts'
import { listFiles, openFile, type Installation } from './files.ts'
import { completionName, fileFolder, manifestName, tableFolder, type Completion, type Manifest } from './manifest.ts'
import { openSession } from './session.ts'
import { tarBuffer, tarEnd, tarEntry } from './tar.ts'
import { errorCode } from '#server/platform/error-code.ts'

/** The rows of a table are split into files of about this size. */
const partBytes = 4 * 1024 * 1024

/**
 * Writes `file`, which must not exist. All rows are from one snapshot, so the server may be running. `tableOwner` connects as the role that
 * owns the tables. Returns the number of rows, the size of the file in bytes, and the files of the installation that were deleted meanwhile
 * and so are missing in the backup, although its rows may refer to them. Throws an `OperatorError` when `file` cannot be written.
 */
export async function writeBackup(
  tableOwner: pg.ClientConfig,
  installation: Installation,
  file: string,
  at: Date = new Date(),
): Promise<{ rows: number; bytes: number; missingFiles: string[] }> {
  if (existsSync(file)) throw new OperatorError(`${file} exists already: choose another name.`)
  const partialFile = `${file}.part`
  const client = await openSession(tableOwner)
  const completion: Completion = { rows: {}, missingFiles: [] }
  try {
    const earlierFiles = listFiles(installation) // listed before the snapshot, so that a later deletion is noticed
    await client.query('begin isolation level repeatable read read only')
    // the lock must come before the snapshot, because a partition that the purge replaces after the snapshot would look empty in it
    await client.query('lock table only public.journal in access share mode')
    const target = createWriteStream(partialFile, { mode: 0o600, flush: true })
    await pipeline(tarEntries(client, installation, { earlierFiles, completion, at }), createGzip({ level: 4 }), target)
    await rename(partialFile, file)
  } catch (error) {
    await rm(partialFile, { force: true })
    throw toOperatorError(error, file)
  } finally {
    await client.end()
  }
  const { rows: counts, missingFiles } = completion
  return { rows: Object.values(counts).reduce((sum, count) => sum + count, 0), bytes: (await stat(file)).size, missingFiles }
}

/**
 * Returns the archive: manifest, files, rows and completion file. Writes the numbers of rows and the missing files into `completion`.
 * `earlierFiles` are the files that existed before the snapshot.
 */
async function* tarEntries(
  client: pg.Client,
  installation: Installation,
  { earlierFiles, completion, at }: { earlierFiles: string[]; completion: Completion; at: Date },
): AsyncGenerator<Buffer> {
  const { rows: counts, missingFiles } = completion
  const tables = await listTables(client)
  yield* tarBuffer(manifestName, toJson(await describeBackup(client, tables, at)), at)
  // the files are listed again after the snapshot, because its rows may refer to files that are newer than the first list
  for (const name of new Set([...earlierFiles, ...listFiles(installation)])) {
    const content = await openFile(name, installation)
    if (content) yield* tarEntry(fileFolder + name, content, at)
    else missingFiles.push(name)
  }
  for (const { name, expressions } of tables) {
    let number = 0
    counts[name] = 0
    const source = client.query(to(`copy (select ${expressions.join(', ')} from ${name}) to stdout`))
    for await (const part of splitBetweenRows(source)) {
      counts[name] += countRows(part)
      yield* tarBuffer(`${tableFolder}${name}/${++number}`, part, at)
    }
  }
  yield* tarBuffer(completionName, toJson(completion), at)
  yield tarEnd
}

/** Returns the manifest: what a restore must know before it reads the rows. */
async function describeBackup(client: pg.Client, tables: Table[], at: Date): Promise<Manifest> {
  const { rows } = await client.query<{ postgres: string }>(`select current_setting('server_version') as postgres`)
  return {
    format: 'foyer-backup',
    edition: 1,
    at: at.toISOString(),
    postgres: rows[0]?.postgres ?? '',
    migrations: await listMigrations(client),
    journalMonths: await listJournalMonths(client),
    sequences: await listSequences(client), // sequences are not part of the snapshot; their values are never lower than those in the rows
    tables: tables.map(({ name, columns }) => ({ name, columns })),
  }
}

/** Splits at line feeds, because in the text format of COPY each line feed ends a row. */
async function* splitBetweenRows(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let bytes = 0
  for await (const chunk of source) {
    const end = bytes + chunk.length < partBytes ? 0 : chunk.lastIndexOf('\n') + 1
    if (end === 0) {
      parts.push(chunk)
      bytes += chunk.length
      continue
    }
    yield Buffer.concat([...parts, chunk.subarray(0, end)])
    parts = [chunk.subarray(end)]
    bytes = chunk.length - end
  }
  if (bytes > 0) yield Buffer.concat(parts)
}

function countRows(part: Buffer): number {
  let count = 0
  for (let index = part.indexOf('\n'); index >= 0; index = part.indexOf('\n', index + 1)) count++
  return count
}

const toJson = (value: object): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

/** Converts an error of the file system to a sentence for the operator. Returns other errors unchanged. */
function toOperatorError(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !['ENOENT', 'EACCES', 'EISDIR', 'ENOSPC', 'EROFS'].includes(errorCode(error))) return error
  return new OperatorError(`The backup cannot be written to ${file} (${error.message}): choose another place.`, { cause: error })
}

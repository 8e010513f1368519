// Collects what the download of everything contains. The rows are first written to a spool, a temporary file.
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext, TakeoutFiles, TakeoutTable } from '#server/platform/feature/context.ts'
import { byteOrderMark, formatCsvLine } from '#server/platform/records/csv.ts'
import { createTitleSql } from '#server/platform/records/kind.ts'
import type { ZipEntry } from '#server/platform/zip/zip.ts'
import { createReadme } from './readme.ts'
import { openSpool, type Spool, type SpooledText } from './spool.ts'
import { readColumns, readPage, type TakeoutRow } from './takeout.store.ts'

type Takeout = { entries: ZipEntry[]; close: () => Promise<void> }

/**
 * Copies all rows of the owner into a temporary file, all as they were at one moment, and lists the entries of the zip. The database is
 * needed only until this function returns, and not while a client reads the zip. Throws `storage_full`.
 */
export async function collect(context: AppContext, caller: Caller): Promise<Takeout> {
  const { database, takeoutTables, now } = context
  const { owner } = caller
  const at = now()
  const spool = await openSpool(context.disk)
  const toEntry = (path: string, text: SpooledText): ZipEntry => ({
    path,
    modifiedAt: at,
    content: { size: text.size, read: () => spool.read(text) }, // read when the entry is sent
  })
  try {
    return await database.snapshot(caller, async () => {
      const files: TakeoutFiles[] = []
      for (const listFiles of context.takeoutFiles) files.push(await listFiles(context, owner))
      const columns = await readColumns(takeoutTables.map(({ table }) => table))
      const rows: ZipEntry[] = []
      for (const table of takeoutTables) {
        const paths = files.find((each) => each.table === table.table)?.paths
        const { csv, json } = await copyRows(spool, owner, table, columns.get(table.table) ?? [], paths)
        rows.push(toEntry(`${table.name}.csv`, csv), toEntry(`${table.name}.json`, json))
      }
      const readme: SpooledText = { size: 0, parts: [] }
      await spool.append(readme, createReadme(takeoutTables, at))
      return { entries: [toEntry('README.txt', readme), ...rows, ...files.flatMap(({ entries }) => entries)], close: spool.close }
    })
  } catch (error) {
    await spool.close()
    throw error
  }
}

/**
 * Writes the rows of a table as CSV and as a JSON array with a row in each line. `paths`: the paths of files in the zip by the id of the
 * row.
 */
async function copyRows(
  spool: Spool,
  owner: string,
  table: TakeoutTable,
  storedColumns: readonly string[],
  paths: TakeoutFiles['paths'] | undefined,
): Promise<{ csv: SpooledText; json: SpooledText }> {
  const jsonColumns = table.columns ?? storedColumns
  const csvColumns = chooseCsvColumns(table, jsonColumns)
  const names = [...csvColumns.keys(), ...(paths ? ['path'] : [])]
  const csv: SpooledText = { size: 0, parts: [] }
  const json: SpooledText = { size: 0, parts: [] }
  await spool.append(csv, byteOrderMark + formatCsvLine(names))
  let separator = '[\n' // what is written before the first row of a page
  let page = await readPage(owner, table, { csvColumns, jsonColumns })
  while (page.length > 0) {
    const rows = paths ? page.map((row) => addPath(row, paths.get(row.id) ?? '')) : page
    await spool.append(csv, rows.map((row) => formatCsvLine(names.map((name) => row[name]))).join(''))
    await spool.append(json, rows.map((row, index) => (index === 0 ? separator : ',\n') + row.json).join(''))
    separator = ',\n'
    page = await readPage(owner, table, { csvColumns, jsonColumns }, page.at(-1)?.id)
  }
  await spool.append(json, separator === '[\n' ? '[]\n' : '\n]\n')
  return { csv, json }
}

/** Adds the path of the file in the zip as the last column of the row, also in its JSON. */
const addPath = (row: TakeoutRow, path: string): TakeoutRow => ({
  ...row,
  path,
  json: `${row.json.slice(0, -1)},"path":${JSON.stringify(path)}}`,
})

/**
 * Returns the SQL of the columns by name: first the id and the columns of the list's export, in which links are readable names, then the
 * readable names of other links, then all other columns.
 */
function chooseCsvColumns({ kind }: TakeoutTable, columns: readonly string[]): ReadonlyMap<string, string> {
  const sqlByName = new Map<string, string>([['id', 'c.id']])
  const add = (name: string, column: string): void => {
    if (!sqlByName.has(name)) sqlByName.set(name, column)
  }
  for (const [name, column] of Object.entries(kind?.exportColumns ?? {})) add(name, column)
  for (const link of Object.values(kind?.linksByConstraint ?? {}))
    add(link.titleField ?? link.field.replace(/_id$/, '_name'), createTitleSql(link))
  for (const name of columns) add(name, `c.${name}`)
  return sqlByName
}

// Measures imports: the whole import compared with a COPY of the same rows into a copy of the table, the memory of the product, the effect
// of an import on other requests, and the undo of an import.
import { join } from 'node:path'
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startProduct, type Product } from '../tests/product.ts'
import { signUp } from '../tests/crash/writers.ts'
import { startImport } from './import-client.ts'
import { addOwners } from './owners.ts'
import { readMemoryMb } from './process-usage.ts'
import { startLoad } from './programs.ts'

export type ImportReport = {
  cores: number
  loadAverages: { before: number; after: number }
  rows: number
  seconds: { import: number; copy: number; undo: number }
  /** Resident memory of the product's Node process. */
  memoryMb: { before: number; peak: number }
  /** Requests per second without an import and beside one. */
  requestsPerSecond: { alone: number; beside: number }
}

const contactsOfOthers = 10_000
const warmUpRows = 2000
/** The number of rows of the import that is undone; half of them update contacts. */
const undoneRows = 10_000
/**
 * `timesCopy`: the seconds of the import divided by the seconds of the COPY. `share`: the requests per second beside an import, divided by
 * the requests per second without an import.
 */
const goals = { timesCopy: 8, growthMb: 150, share: 1 / 2, undoSeconds: 5 }

/** Starts a product and measures imports of this number of rows. */
export async function measureImports(rows: number): Promise<ImportReport> {
  await using resources = new AsyncDisposableStack()
  const product = resources.use(await startProduct())
  console.error('Adding owners ...')
  const { contactsOfOwners, socketFolder } = await addOwners(product.folder, contactsOfOthers)
  const load = resources.adopt(startLoad(contactsOfOwners), ({ stop }) => stop())
  const [before = 0] = loadavg()
  const warmUp = await signUp(product.url, 'warm-up')
  await (
    await startImport(product.url, warmUp.token, createFile(warmUpRows))
  ).ended
  await sleep(3000) // until the server is idle

  console.error(`Importing ${rows} rows ...`)
  const file = createFile(rows)
  const { token } = await signUp(product.url, 'alone')
  const memory = watchMemory(product)
  const startedAt = performance.now()
  await (
    await startImport(product.url, token, file)
  ).ended
  const importSeconds = (performance.now() - startedAt) / 1000
  const memoryMb = memory.stop()
  const copySeconds = await measureCopy(socketFolder)

  console.error('Measuring other requests ...')
  const port = Number(new URL(product.url).port)
  const sendRequests = async (firstSequenceNumber: number): Promise<number> => {
    const { latenciesMs, elapsedMs } = await load.run({ port, operation: 'list', milliseconds: 5000, firstSequenceNumber })
    return (1000 * latenciesMs.length) / elapsedMs
  }
  await sendRequests(0) // a warm-up
  const alone = await sendRequests(1e6)
  const runningImport = await startImport(product.url, (await signUp(product.url, 'beside')).token, file)
  await sleep(2000) // until the rows are counted
  const beside = await sendRequests(2e6)
  await runningImport.stop()

  const undoSeconds = await measureUndo(product)
  const [after = 0] = loadavg()
  return {
    cores: availableParallelism(),
    loadAverages: { before, after },
    rows,
    seconds: { import: importSeconds, copy: copySeconds, undo: undoSeconds },
    memoryMb,
    requestsPerSecond: { alone, beside },
  }
}

/** Returns a CSV file of different people. `note` is in each row, so that files with different notes update the same people. */
function createFile(rows: number, note = 'first', start = 0): string {
  const header = 'First name,Last name,Email,Phone,Company,Job title,Street,City,Postal code,Country,Tags,Description,Favourite colour'
  const lines = Array.from({ length: rows }, (_, index) => {
    const number = start + index
    const phone = `+44 20 ${String(70_000_000 + number).replace(/(\d{4})$/, ' $1')}`
    return `Imara${number % 977},Vantongeren${number % 1013},person${number}@example.org,${phone},Quillstone ${number % 5000},Buyer ${note},${number} High St,Millgate,N1 ${number % 10}AA,United Kingdom,"fair, oak",Wants the waiting room done by spring ${number},blue ${note}`
  })
  return [header, ...lines].join('\n')
}

/** Reads the memory regularly. `stop` returns the memory at the beginning and the largest one. */
function watchMemory({ serverProcessId }: Product) {
  const before = readMemoryMb(serverProcessId())
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, readMemoryMb(serverProcessId()))), 250)
  return {
    stop: () => {
      clearInterval(timer)
      return { before, peak }
    },
  }
}

/**
 * Copies the imported rows, without those of the warm-up, into the copy of the table in the schema `bare`, which has the same indexes.
 * Returns the seconds.
 */
async function measureCopy(host: string): Promise<number> {
  const client = new pg.Client({ host, database: 'foyer', user: 'postgres' })
  await client.connect()
  const { rows } = await client.query<{ columns: string; folder: string }>(
    `select string_agg(attname, ', ') as columns, current_setting('data_directory') as folder from pg_attribute
     where attrelid = 'crm_contacts'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  )
  const { columns = '', folder = '' } = rows[0] ?? {}
  const file = join(folder, 'copied-contacts') // PostgreSQL writes it, and may not write to the folder of temporary files
  await client.query(
    `copy (select ${columns} from crm_contacts where user_id in (select user_id from imports where rows_done > ${warmUpRows})) to '${file}'`,
  )
  await client.query('checkpoint')
  const startedAt = performance.now()
  await client.query(`copy bare.crm_contacts (${columns}) from program 'cat ${file}; rm ${file}'`)
  const seconds = (performance.now() - startedAt) / 1000
  await client.end()
  return seconds
}

/** Imports people. A second import updates all of them and adds as many new ones; returns the seconds in which it is undone. */
async function measureUndo({ url }: Product): Promise<number> {
  console.error('Measuring the undo ...')
  const { token } = await signUp(url, 'undo')
  await (
    await startImport(url, token, createFile(undoneRows / 2))
  ).ended
  const exportAll = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}/api/contacts/export`, { method: 'POST', headers, body: '{"matching":{}}' })
    return response.text()
  }
  const before = await exportAll()
  const second = await startImport(url, token, createFile(undoneRows, 'second'))
  await second.ended
  const startedAt = performance.now()
  await second.undo()
  const seconds = (performance.now() - startedAt) / 1000
  if ((await exportAll()) !== before) throw new Error('The contacts are not the same as before the import')
  return seconds
}

export function formatImports({ cores, loadAverages, rows, seconds, memoryMb, requestsPerSecond }: ImportReport): string {
  const { alone, beside } = requestsPerSecond
  const { before, peak } = memoryMb
  return [
    `Import of ${rows.toLocaleString('en')} rows, ${cores} cores, load ${loadAverages.before.toFixed(1)} to ${loadAverages.after.toFixed(1)}`,
    '',
    `Upload and job: ${seconds.import.toFixed(1)} s; COPY of the same rows: ${seconds.copy.toFixed(1)} s; ratio ${(seconds.import / seconds.copy).toFixed(1)} (goal: at most ${goals.timesCopy})`,
    `Memory of the product's Node process: ${before} MB before, ${peak} MB at most; growth ${peak - before} MB (goal: under ${goals.growthMb} MB)`,
    `Lists of contacts a second: ${alone.toFixed(0)}, beside an import ${beside.toFixed(0)}; ratio ${(beside / alone).toFixed(2)} (goal: ${goals.share.toFixed(2)})`,
    `Undo of ${undoneRows.toLocaleString('en')} rows, half of them updates: ${seconds.undo.toFixed(1)} s (goal: under ${goals.undoSeconds} s)`,
  ].join('\n')
}

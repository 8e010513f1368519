// Adds an owner (a user with a session) to the product, with a folder of very many files for the list, and a folder of small files for a
// zip.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openDatabaseForCommand } from '#server/platform/database/open.ts'
import { openKeyFile } from '#server/platform/security/key-file.ts'
import { addOwner, type Owner } from './owners.ts'

export type FileOwner = Owner & { largeFolder: string; smallFilesFolder: string }

/** The number of files in the large folder and in the folder of small files. */
export const fileCounts = { large: 100_000, small: 5000 } as const

/** The size of a small file. */
const smallBytes = 4096

/** Adds the owner to the product in this data folder. The files of the large folder are only rows in the database, without stored bytes. */
export async function addFileOwner(folder: string): Promise<FileOwner> {
  const openedDatabase = await openDatabaseForCommand({
    data: { folder, isConfigured: true },
    external: undefined,
    keyFile: openKeyFile(join(folder, 'secret.key')),
  })
  const client = new pg.Client(openedDatabase.connections.tableOwner)
  await client.connect()
  const owner = await addOwner(client, 'files')
  const addFolder = async (name: string): Promise<string> => {
    const { rows } = await client.query<{ id: string }>('insert into folders (user_id, name) values ($1, $2) returning id', [
      owner.userId,
      name,
    ])
    return rows[0]?.id ?? ''
  }
  const [largeFolder, smallFilesFolder] = [await addFolder('Large'), await addFolder('Small files')]
  await addFileRows(client, owner.userId, largeFolder, fileCounts.large, 'number')
  const paths = await addFileRows(client, owner.userId, smallFilesFolder, fileCounts.small, String(smallBytes))
  for (const path of paths) {
    mkdirSync(join(folder, 'files', path), { recursive: true })
    writeFileSync(join(folder, 'files', path, '0'), Buffer.alloc(smallBytes, path)) // part 0, the only one, filled with the text of its path
  }
  for (const table of ['files', 'folders', 'stored_objects']) await client.query(`vacuum (analyze) ${table}`)
  await Promise.all([client.end(), openedDatabase.stop()])
  return { ...owner, largeFolder, smallFilesFolder }
}

/**
 * Resolves when no job of the owner waits or runs. After an upload, a job computes the SHA-256 of the file, which would slow down the next
 * measurement.
 */
export async function waitForJobs(folder: string, { userId }: Owner): Promise<void> {
  const openedDatabase = await openDatabaseForCommand({
    data: { folder, isConfigured: true },
    external: undefined,
    keyFile: openKeyFile(join(folder, 'secret.key')),
  })
  const client = new pg.Client(openedDatabase.connections.tableOwner)
  await client.connect()
  while ((await client.query('select from jobs.jobs where owner = $1 and failed_at is null limit 1', [userId])).rowCount !== 0)
    await sleep(200)
  await Promise.all([client.end(), openedDatabase.stop()])
}

/** Adds files to a folder, and returns their storage paths. `size` is an SQL expression for the size in bytes, which may use `number`. */
async function addFileRows(client: pg.Client, owner: string, folder: string, count: number, size: string): Promise<string[]> {
  const { rows } = await client.query<{ path: string }>(
    `with objects as (
       insert into stored_objects (user_id, storage_path, file_size)
       select $1::uuid, $1::uuid::text || '/' || gen_random_uuid(), ${size} from generate_series(1, $3) number returning *
     )
     insert into files (user_id, object_id, storage_path, file_name, file_type, file_size, folder_id)
     select $1::uuid, id, storage_path, 'File ' || md5(storage_path) || '.txt', 'txt', file_size, $2::uuid
     from objects returning storage_path as path`,
    [owner, folder, count],
  )
  return rows.map(({ path }) => path)
}

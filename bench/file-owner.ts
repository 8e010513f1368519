// Adds an owner with a large folder and with a folder of small files to the product.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openDatabaseForCommand } from '#server/platform/database/open.ts'
import { openSecretFile } from '#server/platform/security/secret.ts'
import { addOwner, type Owner } from './owners.ts'

export type FileOwner = Owner & { largeFolder: string; smallFilesFolder: string }

/** The number of files of the large folder and of the folder for a zip. */
export const fileCounts = { large: 100_000, small: 5000 } as const

/** The size of a small file. */
const smallBytes = 4096

/** Adds the owner to the product in this data folder. The files of the large folder have no bytes. */
export async function addFileOwner(folder: string): Promise<FileOwner> {
  const opened = await openDatabaseForCommand({
    data: { folder, isConfigured: true },
    external: undefined,
    secret: openSecretFile(join(folder, 'secret.key')),
  })
  const client = new pg.Client(opened.connections.tableOwner)
  await client.connect()
  const owner = await addOwner(client, 'files')
  const addFolder = async (name: string): Promise<string> => {
    const { rows } = await client.query<{ id: string }>('insert into folders (user_id, name) values ($1, $2) returning id', [
      owner.owner,
      name,
    ])
    return rows[0]?.id ?? ''
  }
  const [largeFolder, smallFilesFolder] = [await addFolder('Large'), await addFolder('Small files')]
  await addFileRows(client, owner.owner, largeFolder, fileCounts.large, 'number')
  const paths = await addFileRows(client, owner.owner, smallFilesFolder, fileCounts.small, String(smallBytes))
  for (const path of paths) {
    mkdirSync(join(folder, 'files', path), { recursive: true })
    writeFileSync(join(folder, 'files', path, '0'), Buffer.alloc(smallBytes, path))
  }
  for (const table of ['files', 'folders', 'stored_objects']) await client.query(`vacuum (analyze) ${table}`)
  await Promise.all([client.end(), opened.stop()])
  return { ...owner, largeFolder, smallFilesFolder }
}

/** Resolves when no job of the owner waits or runs: after an upload a job computes the SHA-256, which would slow down what is measured next. */
export async function waitForJobs(folder: string, { owner }: Owner): Promise<void> {
  const opened = await openDatabaseForCommand({
    data: { folder, isConfigured: true },
    external: undefined,
    secret: openSecretFile(join(folder, 'secret.key')),
  })
  const client = new pg.Client(opened.connections.tableOwner)
  await client.connect()
  while ((await client.query('select from jobs.jobs where owner = $1 and failed_at is null limit 1', [owner])).rowCount !== 0)
    await sleep(200)
  await Promise.all([client.end(), opened.stop()])
}

/** Adds files to a folder, and returns the storage paths of their objects. `size` is SQL for the size of a file by its `number`. */
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

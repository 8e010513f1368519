import type pg from 'pg'
import { lowestId } from '#server/platform/database/uuid.ts'
import type { ListedObject } from '#server/platform/storage/storage.ts'

// The SQL of the checks that compare stored bytes with rows. In the statements, `l` is an object or an unfinished upload that the storage
// has, and `o` is a row of `stored_objects`.

/** Creates a temporary table for what the storage has, so that the database can compare it with the rows. */
export const createListing = (client: pg.Client): Promise<unknown> =>
  client.query(`create temporary table listed_objects (key text not null, size bigint, written_at timestamptz not null, upload_id text);
    create index on listed_objects (key)`)

export const dropListing = (client: pg.Client): Promise<unknown> => client.query('drop table pg_temp.listed_objects')

export async function hasListing(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('pg_temp.listed_objects') is not null as exists`)
  return rows[0]?.exists ?? false
}

export const addToListing = (client: pg.Client, objects: readonly ListedObject[]): Promise<unknown> =>
  client.query('insert into pg_temp.listed_objects select * from unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::text[])', [
    objects.map(({ key }) => key),
    objects.map(({ size }) => size),
    objects.map(({ writtenAt }) => writtenAt),
    objects.map(({ uploadId }) => uploadId),
  ])

export async function countObjects(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from stored_objects')
  return rows[0]?.count ?? 0
}

const listTexts = async (client: pg.Client, query: string): Promise<string[]> =>
  (await client.query<{ text: string }>(query)).rows.map(({ text }) => text)

export const findObjectsWithoutBytes = (client: pg.Client): Promise<string[]> =>
  listTexts(
    client,
    `select storage_path as text from stored_objects o
     where not exists (select from pg_temp.listed_objects l where l.key = o.storage_path and l.upload_id is null) order by id`,
  )

export const findObjectsOfWrongSize = (client: pg.Client): Promise<string[]> =>
  listTexts(
    client,
    `select storage_path as text from stored_objects o join pg_temp.listed_objects l on l.key = o.storage_path and l.upload_id is null
     where l.size <> o.file_size order by o.id`,
  )

/** Returns the ids of files whose object does not exist or differs in path or size. */
export const findFilesThatDifferFromObject = (client: pg.Client): Promise<string[]> =>
  listTexts(
    client,
    `select f.id as text from files f left join stored_objects o on o.user_id = f.user_id and o.id = f.object_id
     where o.id is null or o.storage_path <> f.storage_path or o.file_size <> f.file_size order by f.id`,
  )

/**
 * Returns the objects and unfinished uploads that were written before this time and have no row, except those that a waiting job deletes.
 * Ignores keys that Foyer does not create, because others may use the bucket too.
 */
export async function findBytesWithoutRow(client: pg.Client, before: Date): Promise<{ key: string; upload_id: string | null }[]> {
  const { rows } = await client.query<{ key: string; upload_id: string | null }>(
    `select key, upload_id from pg_temp.listed_objects l
     where written_at < $1 and key ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}$'
       and not exists (select from uploads u where u.storage_path = l.key)
       and (upload_id is not null or not exists (select from stored_objects o where o.storage_path = l.key))
       and not exists (select from jobs.jobs j, jsonb_array_elements(j.payload -> 'objects') deleted
         where j.type = 'delete stored bytes' and j.failed_at is null and deleted ->> 'storage_path' = l.key)
     order by key`,
    [before],
  )
  return rows
}

export async function countUploads(client: pg.Client, expiredBefore: Date): Promise<{ open: number; expired: number }> {
  const { rows } = await client.query<{ open: number; expired: number }>(
    `select count(*) filter (where file_id is null)::int as open, count(*) filter (where expires_at < $1)::int as expired from uploads`,
    [expiredBefore],
  )
  return rows[0] ?? { open: 0, expired: 0 }
}

/** Counts the deleted files whose values are in the journal. `lost`: those among them whose stored object does not exist any more. */
export async function countDeletedFiles(client: pg.Client): Promise<{ deleted: number; lost: number }> {
  const { rows } = await client.query<{ deleted: number; lost: number }>(
    `select count(distinct j.row_id)::int as deleted, count(distinct j.row_id) filter (where o.id is null)::int as lost
     from journal j left join stored_objects o on o.user_id = j.user_id and o.id::text = j.before ->> 'object_id'
     where j.operation = 'D' and j.before ->> 'object_id' is not null
       and not exists (select from files f where f.user_id = j.user_id and f.id = j.row_id)`,
  )
  return rows[0] ?? { deleted: 0, lost: 0 }
}

/** The space that all accounts use. `largest`: the bytes of the largest account. `over`: the number of accounts above the quota. */
type Usage = { owners: number; bytes: number; largest: number; over: number }

export async function readUsage(client: pg.Client, quotaBytes: number): Promise<Usage> {
  const { rows } = await client.query<Usage>(
    `select count(*)::int as owners, coalesce(sum(bytes), 0)::float8 as bytes, coalesce(max(bytes), 0)::float8 as largest,
       count(*) filter (where bytes > $1)::int as over
     from (
       select user_id, sum(file_size) as bytes
       from (select user_id, file_size from stored_objects union all select user_id, file_size from uploads where file_id is null) counted
       group by user_id) used`,
    [quotaBytes],
  )
  return rows[0] ?? { owners: 0, bytes: 0, largest: 0, over: 0 }
}

/** SQL for the accounts whose stored sum of bytes (`storage_use`) differs from the sum of their stored objects, with the right sum. */
const wrongUseSql = `select coalesce(u.user_id, s.user_id) as user_id, coalesce(s.bytes, 0) as bytes
  from storage_use u full join (select user_id, sum(file_size) as bytes from stored_objects group by user_id) s on s.user_id = u.user_id
  where coalesce(u.stored_bytes, 0) <> coalesce(s.bytes, 0)`

/** Counts the accounts whose sum of stored bytes is wrong. */
export async function countWrongUse(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from (${wrongUseSql}) wrong`)
  return rows[0]?.count ?? 0
}

/** Replaces the wrong sums by the right ones. The lock keeps objects from being added or deleted meanwhile. */
export const repairUse = (client: pg.Client): Promise<unknown> =>
  // one transaction, because these statements are sent together
  client.query(`lock table stored_objects in share mode;
    insert into storage_use (user_id, id, stored_bytes) select user_id, user_id, bytes from (${wrongUseSql}) wrong
    on conflict (user_id, id) do update set stored_bytes = excluded.stored_bytes`)

type HashedObject = { user_id: string; id: string; storage_path: string; file_size: string; sha256: Buffer }

/** Reads, in batches, the objects that have a SHA-256. */
export async function* readHashes(client: pg.Client): AsyncGenerator<HashedObject> {
  let last: Pick<HashedObject, 'user_id' | 'id'> | undefined = { user_id: lowestId, id: lowestId }
  while (last) {
    const { rows }: pg.QueryResult<HashedObject> = await client.query<HashedObject>(
      `select user_id, id, storage_path, file_size, sha256 from stored_objects
       where sha256 is not null and (user_id, id) > ($1, $2) order by user_id, id limit 1000`,
      [last.user_id, last.id],
    )
    yield* rows
    last = rows.at(-1)
  }
}

export async function countUnhashed(client: pg.Client, createdBefore: Date): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from stored_objects where sha256 is null and created_at < $1',
    [createdBefore],
  )
  return rows[0]?.count ?? 0
}

import type { CrmSync } from '#contract/crmConnections.ts'
import { sql } from '#server/platform/database/database.ts'
import { isUndoneSql } from '#server/platform/journal/history.ts'

/** The numbers of contacts of a sync or of one page. `reasons` lists contacts that were skipped or could not be stored. */
export type SyncCounts = Pick<CrmSync, 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed' | 'reasons'>

/** A sync as its job reads it. */
export type RunningSync = {
  id: string
  connection_id: string
  change_id: string
  changed_since: string | null
  position: number
  failures: number
}

/** The name of the jobs. */
export const syncJobName = 'sync crm'

/** The maximum number of reasons and of missing contacts that a sync lists. */
const maxListed = 100
/** A sync also reads what changed shortly before the last one, because the clocks of the CRM and of this server may differ. */
const overlapMinutes = 15

/** SQL that is true if a sync is not finished and its job has failed for good, because of an error of this server. */
const isLostSql = `(s.finished_at is null and jobs.find_key('${syncJobName}', jsonb_build_object('sync', s.id)) is null)`

const columns = `s.id, case when ${isLostSql} then 'failed' when s.finished_at is not null and ${isUndoneSql('s.change_id')} then 'undone'
    else s.status end as status,
  case when s.changed_since is null then 'full' else 'changes' end as scope, s.started_at,
  case when ${isLostSql} then s.started_at else s.finished_at end as finished_at, s.change_id as change,
  s.created, s.updated, s.unchanged, s.skipped, s.failed, s.missing,
  case when ${isLostSql} then 'The server could not finish it. Start it again.' else s.problem end as problem, s.reasons,
  coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by c.name, c.id) from crm_contacts c
    where c.user_id = $1 and c.id = any(s.missing_ids)), '[]') as missing_contacts`

/** Returns the last 20 syncs of a connection, newest first. */
export const readSyncs = (owner: string, connectionId: string): Promise<CrmSync[]> =>
  sql<CrmSync>(`select ${columns} from crm_syncs s where s.user_id = $1 and s.connection_id = $2 order by s.id desc limit 20`, [
    owner,
    connectionId,
  ])

/** Returns the newest sync of each connection. */
export const readLastSyncs = (owner: string, connectionIds: readonly string[]): Promise<(CrmSync & { connection_id: string })[]> =>
  sql<CrmSync & { connection_id: string }>(
    `select ${columns}, s.connection_id from unnest($2::uuid[]) connection (id) cross join lateral (
       select * from crm_syncs s where s.user_id = $1 and s.connection_id = connection.id order by s.id desc limit 1) s`,
    [owner, connectionIds],
  )

/** A sync, the id of its change group, and the number of contacts that it has written. */
type SyncChange = { id: string; change: string; written: number }

/** Returns the sync of a connection that is not finished; `isLost` says that its job has failed. */
export async function findRunningSync(owner: string, connectionId: string): Promise<(SyncChange & { isLost: boolean }) | undefined> {
  const [sync] = await sql<SyncChange & { isLost: boolean }>(
    `select s.id, s.change_id as change, s.created + s.updated as written, ${isLostSql} as "isLost" from crm_syncs s
     where s.user_id = $1 and s.connection_id = $2 and s.finished_at is null`,
    [owner, connectionId],
  )
  return sync
}

/**
 * Returns the time since which the next sync must read changes, or null if it must read all contacts. The time is that of the newest
 * complete sync that is not undone. A sync after an undone sync counts only if all contacts were read after the undone sync, because
 * otherwise it did not read again what the undone sync had written.
 */
export async function readChangedSince(owner: string, connectionId: string): Promise<string | null> {
  const [sync] = await sql<{ since: string }>(
    `with syncs as materialized (
       select s.id, s.started_at, s.status = 'done' as is_done, s.changed_since is null as is_full, ${isUndoneSql('s.change_id')} as is_undone
       from crm_syncs s where s.user_id = $1 and s.connection_id = $2)
     select s.started_at - make_interval(mins => ${overlapMinutes}) as since from syncs s
     where s.is_done and not s.is_undone and not exists (
       select from syncs undone where undone.is_undone and undone.id < s.id and not exists (
         select from syncs full_sync where full_sync.is_full and full_sync.is_done and not full_sync.is_undone
           and full_sync.id > undone.id and full_sync.id <= s.id))
     order by s.id desc limit 1`,
    [owner, connectionId],
  )
  return sync?.since ?? null
}

export async function insertSync(
  owner: string,
  { connectionId, change, changedSince, startedAt }: { connectionId: string; change: string; changedSince: string | null; startedAt: Date },
): Promise<string> {
  const [sync] = await sql<{ id: string }>(
    `insert into crm_syncs (user_id, connection_id, change_id, changed_since, started_at) values ($1, $2, $3, $4, $5) returning id`,
    [owner, connectionId, change, changedSince, startedAt],
  )
  if (!sync) throw new Error('The sync was not stored')
  return sync.id
}

/** Stops the running sync of a connection. What it has stored stays. Returns undefined if none runs. */
export async function stopRunningSync(owner: string, connectionId: string, at: Date): Promise<SyncChange | undefined> {
  const [stopped] = await sql<SyncChange>(
    `with stopped as (
       update crm_syncs set status = 'stopped', finished_at = $3, problem = null
       where user_id = $1 and connection_id = $2 and finished_at is null returning id, change_id as change, created + updated as written),
     emptied as (delete from crm_sync_pages where user_id = $1 and sync_id in (select id from stopped))
     select * from stopped`,
    [owner, connectionId, at],
  )
  return stopped
}

/** Reads a sync that is not finished, and marks it as running. Returns undefined if it was stopped. */
export async function resumeSync(owner: string, id: string): Promise<RunningSync | undefined> {
  const [sync] = await sql<RunningSync>(
    `update crm_syncs set status = 'running', problem = null where user_id = $1 and id = $2 and finished_at is null
     returning id, connection_id, change_id, changed_since, position, failures`,
    [owner, id],
  )
  return sync
}

/**
 * Locks a sync until the end of the transaction. Returns false if it was stopped, or if it has another position, because another process
 * continues it.
 */
export async function lockSync(owner: string, { id, position }: Pick<RunningSync, 'id' | 'position'>): Promise<boolean> {
  const rows = await sql('select id from crm_syncs where user_id = $1 and id = $2 and finished_at is null and position = $3 for update', [
    owner,
    id,
    position,
  ])
  return rows.length > 0
}

/** Stores the position and the counts after a page, in the transaction that has stored its contacts. */
export async function addPage(
  owner: string,
  id: string,
  { position, externalIds, counts }: { position: number; externalIds: readonly string[]; counts: SyncCounts },
): Promise<void> {
  await Promise.all([
    sql(
      `update crm_syncs set position = $3, failures = 0, created = created + $4, updated = updated + $5, unchanged = unchanged + $6,
         skipped = skipped + $7, failed = failed + $8,
         reasons = (select coalesce(jsonb_agg(reason order by number), '[]')
           from jsonb_array_elements(reasons || $9::jsonb) with ordinality all_reasons (reason, number) where number <= ${maxListed})
       where user_id = $1 and id = $2`,
      [
        owner,
        id,
        position,
        counts.created,
        counts.updated,
        counts.unchanged,
        counts.skipped,
        counts.failed,
        JSON.stringify(counts.reasons.slice(0, maxListed)),
      ],
    ),
    externalIds.length > 0 &&
      sql('insert into crm_sync_pages (user_id, sync_id, external_ids) values ($1, $2, $3)', [owner, id, externalIds]),
  ])
}

/** Returns the ids, in the other CRM, of all contacts in the pages that this sync has processed. */
export async function readProcessedExternalIds(owner: string, id: string): Promise<string[]> {
  const rows = await sql<{ id: string }>('select unnest(external_ids) as id from crm_sync_pages where user_id = $1 and sync_id = $2', [
    owner,
    id,
  ])
  return rows.map((row) => row.id)
}

/**
 * Stores how many contacts of the connection a full sync has not found in the CRM, and the first of them. Does nothing for a sync that has
 * ended, because its pages are deleted.
 */
export async function storeMissing(owner: string, { id, connection_id }: RunningSync): Promise<void> {
  await sql(
    `with processed as (
       select unnest(p.external_ids) as external_id from crm_sync_pages p where p.user_id = $1 and p.sync_id = $2
     ), missing as (
       select c.id, count(*) over () as count from crm_contacts c where c.user_id = $1 and c.crm_connection_id = $3
         and not exists (select from processed s where s.external_id = c.external_id) order by c.id limit ${maxListed})
     update crm_syncs set missing = coalesce((select max(count) from missing), 0), missing_ids = array(select id from missing order by id)
     where user_id = $1 and id = $2 and finished_at is null`,
    [owner, id, connection_id],
  )
}

/** Ends a sync. Returns undefined if it has ended already. */
export async function endSync(
  owner: string,
  id: string,
  { status, at, problem = null }: { status: 'done' | 'failed' | 'undone'; at: Date; problem?: string | null },
): Promise<SyncChange | undefined> {
  const [[ended]] = await Promise.all([
    sql<SyncChange>(
      `update crm_syncs set status = $3, finished_at = $4, problem = $5 where user_id = $1 and id = $2 and finished_at is null
       returning id, change_id as change, created + updated as written`,
      [owner, id, status, at, problem],
    ),
    sql('delete from crm_sync_pages where user_id = $1 and sync_id = $2', [owner, id]),
  ])
  return ended
}

/** Marks a sync as waiting for the next attempt. */
export async function markWaiting(owner: string, id: string, problem: string): Promise<void> {
  await sql(
    `update crm_syncs set status = 'waiting', problem = $3, failures = failures + 1 where user_id = $1 and id = $2 and finished_at is null`,
    [owner, id, problem],
  )
}

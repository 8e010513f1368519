// Deletes records on which very many rows depend: a job deletes or unlinks these rows first, in the transactions of one change group.
import pg from 'pg'
import * as z from 'zod/mini'
import { sql, type Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { constraintName } from '#server/platform/error-code.ts'
import { createIdentity } from '#server/platform/identity.ts'
import { defineJobType, enqueue } from '#server/platform/jobs/enqueue.ts'
import { createJobHandler, type JobHandler } from '#server/platform/jobs/handler.ts'
import { closeGroup, GroupFinished, inGroup, openGroupHere } from '#server/platform/journal/groups.ts'
import { formatCount } from './bulk.ts'
import type { RecordKind } from './kind.ts'

const DeletedRecords = z.object({ table: z.string(), singular: z.string(), plural: z.string(), ids: z.array(z.uuid()) })
/** The ids of records of one kind, which are deleted together. */
export type DeletedRecords = z.infer<typeof DeletedRecords>

/** Returns ids of a kind in the form that the job stores. */
export const toDeletedRecords = ({ table, singular, plural }: RecordKind, ids: readonly string[]): DeletedRecords => ({
  table,
  singular,
  plural,
  ids: [...ids],
})

/** The maximum number of rows of a transaction of the job, which then takes about a second. */
const maxRowsOfPart = 1000

/**
 * The job that deletes the records, with `group` as its change group. In each process at most two such jobs run at the same time; other
 * jobs do not wait for them. A failing job is retried for a short time only, because the user can delete what is left.
 */
const deleteJob = defineJobType('delete records', z.object({ group: z.uuid(), actor: z.string(), records: z.array(DeletedRecords) }), {
  maxRunning: 2,
  retryForMinutes: 10,
})

/**
 * Runs `remove`, which deletes the records with `deleteRows`. If this fails because too many rows depend on the records, adds a job that
 * first deletes or unlinks these rows and then deletes the records. Then sets `isRunning` of the request, and `changeId` to the group of
 * the job. If another job is deleting the same records already, adds no job and uses the group of that job.
 */
export async function deleteOrStartJob(
  database: Database,
  caller: Caller,
  records: readonly DeletedRecords[],
  remove: () => Promise<void>,
): Promise<void> {
  try {
    await remove()
  } catch (error) {
    if (constraintName(error) !== 'large_delete') throw error
    const group = await startJob(database, caller, records)
    if (caller.request) Object.assign(caller.request, { changeId: group, isRunning: true })
  }
}

/**
 * Opens the group and adds the job in one transaction, unless such a job exists. Returns the id of the group. Throws `disk_low` while the
 * disk has little space.
 */
function startJob(database: Database, caller: Caller, records: readonly DeletedRecords[]): Promise<string> {
  const label = formatLabel('Deleting', records, ({ ids }) => ids.length)
  return database.longTransaction(caller, label, 'large', async () => {
    // two requests at the same time must not add two jobs
    await sql(`select pg_advisory_xact_lock(hashtextextended('large delete ' || app.owner()::text, 0))`)
    const [running] = await sql<{ key: string | null }>('select jobs.find_key($1, $2) as key', [
      deleteJob.name,
      JSON.stringify({ records }),
    ])
    if (running?.key) return running.key
    const group = await openGroupHere({ total: await countRows(records), isDelete: true })
    await enqueue(deleteJob, { group, actor: caller.actor, records: [...records] }, { key: group })
    return group
  })
}

/** Returns the number of the records and of the rows that depend on them. */
async function countRows(records: readonly DeletedRecords[]): Promise<number> {
  const counts = await Promise.all(
    // the last argument is the number at which the function stops counting
    records.map(({ table, ids }) => sql<{ count: number }>('select app.count_dependents($1, $2, 1000000000) as count', [table, ids])),
  )
  return records.reduce((total, { ids }, index) => total + ids.length + (counts[index]?.[0]?.count ?? 0), 0)
}

/** Returns the handler of the jobs. After a crash a job continues with the rows that are left. An undo of its group ends the job. */
export const createDeleteJobHandler = (database: Database): JobHandler =>
  createJobHandler(deleteJob, async ({ owner, payload: { group, actor, records } }, signal) => {
    const caller = createIdentity(owner, actor)
    const runPart = (work: () => Promise<number>): Promise<number> => {
      signal.throwIfAborted()
      return inGroup(database, caller, { group, label: 'Deleted', steps: (count) => count, isLarge: true }, work)
    }
    try {
      for (const { table, ids } of records) await deleteInParts(owner, table, ids, runPart)
      await closeGroup(database, caller, group, await readFinalLabel(database, caller, group, records))
    } catch (error) {
      if (!(error instanceof GroupFinished)) throw error
    }
  })

/** Deletes the rows that depend on the records, and then the records themselves. `runPart` runs its work in a transaction of its own. */
async function deleteInParts(
  owner: string,
  table: string,
  ids: readonly string[],
  runPart: (work: () => Promise<number>) => Promise<number>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += maxRowsOfPart) {
    const part = ids.slice(start, start + maxRowsOfPart)
    while ((await runPart(() => detachDependents(table, part))) > 0);
    await runPart(() => deleteRecordsOf(owner, table, part))
  }
}

/** Deletes or unlinks at most `maxRowsOfPart` rows that depend on the records. Returns their number. */
async function detachDependents(table: string, ids: readonly string[]): Promise<number> {
  const [row] = await sql<{ count: number }>('select app.detach_dependents($1, $2, $3) as count', [table, ids, maxRowsOfPart])
  return row?.count ?? 0
}

/** Deletes the records that still exist, with rows that were linked to them in the meantime. Returns the number of records. */
const deleteRecordsOf = async (owner: string, table: string, ids: readonly string[]): Promise<number> =>
  (await sql(`delete from ${pg.escapeIdentifier(table)} where user_id = $1 and id = any($2) returning id`, [owner, ids])).length

/** Returns the label with the numbers of records that the job has deleted itself; undefined if another change had deleted all of them. */
async function readFinalLabel(
  database: Database,
  caller: Caller,
  group: string,
  records: readonly DeletedRecords[],
): Promise<string | undefined> {
  const rows = await database.read(caller, () =>
    sql<{ table: string; count: number }>(
      `select j.table_name as "table", count(*)::int as count from changesets c join journal j on j.change = c.id
       where c.user_id = $1 and c.group_id = $2 and j.operation = 'D' and not j.cascade group by 1`,
      [caller.owner, group],
    ),
  )
  const counts = new Map(rows.map(({ table, count }) => [table, count]))
  return counts.size === 0 ? undefined : formatLabel('Deleted', records, ({ table }) => counts.get(table) ?? 0)
}

/** Returns a label such as "Deleted 2 files and 1 folder". */
function formatLabel(verb: string, records: readonly DeletedRecords[], countOf: (records: DeletedRecords) => number): string {
  const counts = records.map((ofKind) => ({ ofKind, count: countOf(ofKind) })).filter(({ count }) => count > 0)
  return `${verb} ${counts.map(({ ofKind, count }) => formatCount(ofKind, count)).join(' and ')}`
}

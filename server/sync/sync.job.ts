import type { ErrorCode } from '#contract/errors.ts'
import { toRefusal } from '#server/platform/http/problem.ts'
import { enqueue, forgetFailures } from '#server/platform/jobs/enqueue.ts'
import { createJobHandler, type JobHandler } from '#server/platform/jobs/handler.ts'
import { closeGroup, GroupFinished, inGroup } from '#server/platform/journal/groups.ts'
import { openClient, readKey, type SyncContext } from './connections.ts'
import { findConnection, lockConnection } from './connections.store.ts'
import { connectors } from './connectors.ts'
import { CrmFailure } from './failure.ts'
import { createPageReader } from './read-page.ts'
import { callerOfSync, formatEndLabel, stopIfRunning, syncJob } from './start.ts'
import { storePage } from './store-page.ts'
import {
  addPage,
  endSync,
  lockSync,
  markWaiting,
  readProcessedExternalIds,
  resumeSync,
  storeMissing,
  type RunningSync,
} from './syncs.store.ts'

/** The pauses after consecutive temporary failures of the other CRM. A failure after the last pause makes the sync fail. */
const pausesInSeconds = [30, 60, 120, 300, 600, 1800, 3600]

/** The sentences for failures of this server after which another attempt cannot succeed. */
const problems: Partial<Record<ErrorCode, string>> = {
  record_quota_exceeded: 'Your records and their history need more space than this server gives to an account.',
  disk_low: 'The server is short of disk space. Ask its operator.',
  disk_full: 'The server has no disk space left. Ask its operator.',
}

/**
 * Returns the handler of the jobs. Each page is stored in one transaction together with the position in the other CRM, so that a job
 * continues after a crash where it was.
 */
export const createSyncJobHandler = (context: SyncContext): JobHandler =>
  createJobHandler(syncJob, async ({ owner, caller, payload: { sync: id } }, signal) => {
    const { database, now } = context
    const sync = await database.transaction(caller, '', () => resumeSync(owner, id))
    if (!sync) return
    const end = (status: 'done' | 'failed' | 'undone', problem?: string): Promise<void> => endRun(context, owner, sync, status, problem)
    try {
      const result = await copyContacts(context, owner, sync, signal)
      if (result === 'complete') await end('done')
      if (result === 'disconnected') await stopIfRunning(context, owner, sync.connection_id)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof GroupFinished) return end('undone')
      if (!(error instanceof CrmFailure)) {
        const problem = problems[toRefusal(error).code]
        if (problem === undefined) throw error
        return end('failed', problem)
      }
      const pause = pausesInSeconds[sync.failures]
      if (!error.isTemporary || pause === undefined) return end('failed', error.message)
      const runAt = new Date(now().getTime() + Math.max(pause, error.retryAfterSeconds ?? 0) * 1000)
      await database.transaction(caller, '', async () => {
        await markWaiting(owner, id, error.message)
        await enqueue(syncJob, { sync: id }, { key: sync.change_id, runAt })
      })
    }
  })

/**
 * Copies all pages from the position of the sync. Returns `stopped` if it was stopped or another process continues it, and `disconnected`
 * if its connection is gone: a delete of the connection stops the sync, but an undo that removes the connection does not.
 */
async function copyContacts(
  context: SyncContext,
  owner: string,
  sync: RunningSync,
  signal: AbortSignal,
): Promise<'complete' | 'stopped' | 'disconnected'> {
  const { database, installationKey } = context
  const caller = callerOfSync(owner, sync.connection_id)
  const [connection, ids] = await database.read(caller, () =>
    Promise.all([findConnection(owner, sync.connection_id), readProcessedExternalIds(owner, sync.id)]),
  )
  if (!connection) return 'disconnected'
  const key = readKey(installationKey, owner, connection)
  if (key === undefined) throw new CrmFailure('key_lost')
  const client = openClient(context, { ...connection, api_key: key }, { signal })
  const connector = connectors[connection.crm_type]
  const companyNames = await connector.readCompanyNames(client)
  const changedSince = sync.changed_since === null ? undefined : new Date(sync.changed_since)
  const reader = createPageReader(connector, client, { changedSince, companyNames })
  const storedIds = new Set(ids)
  for (;;) {
    const page = await reader.readNext(sync.position, storedIds)
    signal.throwIfAborted()
    const result = await inGroup(
      database,
      caller,
      { group: sync.change_id, label: 'Copied contacts from Insightly', steps: page.contacts.length, isLarge: true },
      async (): Promise<'stored' | 'stopped' | 'disconnected'> => {
        if (!(await lockConnection(owner, sync.connection_id))) return 'disconnected'
        if (!(await lockSync(owner, sync))) return 'stopped'
        const counts = await storePage(owner, sync.connection_id, page.contacts)
        counts.failed += page.unreadable
        await addPage(owner, sync.id, { position: page.position, externalIds: page.contacts.map(({ id }) => id), counts })
        await forgetFailures(syncJob, sync.change_id)
        return 'stored'
      },
    )
    if (result !== 'stored') return result
    for (const { id } of page.contacts) storedIds.add(id)
    Object.assign(sync, { position: page.position, failures: 0 })
    if (page.isLast) return 'complete'
  }
}

/** Ends the sync and its change together. */
async function endRun(
  { database, now }: SyncContext,
  owner: string,
  sync: RunningSync,
  status: 'done' | 'failed' | 'undone',
  problem?: string,
): Promise<void> {
  const caller = callerOfSync(owner, sync.connection_id)
  await database.transaction(caller, '', async () => {
    if (status === 'done' && sync.changed_since === null) await storeMissing(owner, sync)
    const ended = await endSync(owner, sync.id, { status, at: now(), ...(problem !== undefined && { problem }) })
    if (ended && status !== 'undone') await closeGroup(database, caller, ended.change, formatEndLabel(ended.written))
  })
}

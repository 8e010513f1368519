// Starts and stops syncs.
import * as z from 'zod/mini'
import type { CrmSync } from '#contract/crmConnections.ts'
import { formatActor } from '#contract/actors.ts'
import { callerFor, type Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { createIdentity } from '#server/platform/identity.ts'
import { defineJobType, enqueue } from '#server/platform/jobs/enqueue.ts'
import { closeGroup, openGroupHere } from '#server/platform/journal/groups.ts'
import { formatCount } from '#server/platform/records/bulk.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { findConnection, lockConnection, lockConnections } from './connections.store.ts'
import { endSync, findRunningSync, insertSync, readChangedSince, readSyncs, stopRunningSync, syncJobName } from './syncs.store.ts'

type Services = Pick<AppContext, 'database' | 'now'>

/**
 * The job of a sync. In each process at most four run at the same time; other jobs do not wait for them. While the other CRM does not
 * answer, the job adds itself again for later; its retries are for errors of this server.
 */
export const syncJob = defineJobType(syncJobName, z.object({ sync: z.uuid() }), { maxRunning: 4, retryForMinutes: 10 })

/** Returns the caller for the changes of a sync. */
export const callerOfSync = (owner: string, connectionId: string): Caller => createIdentity(owner, formatActor('sync', connectionId))

/** Returns the label of the change of a sync that has ended, with the number of contacts that it has written. */
export const formatEndLabel = (count: number): string =>
  count > 0 ? `Copied ${formatCount({ singular: 'contact', plural: 'contacts' }, count)} from Insightly` : 'Found nothing new in Insightly'

/**
 * Starts a sync of all contacts, or of those that changed since the last sync. Returns the sync that runs already, if there is one. Throws
 * `not_found` for an unknown connection.
 */
export async function startSync({ database, now }: Services, { owner }: Caller, connectionId: string, isFull: boolean): Promise<CrmSync> {
  // the change belongs to the sync, so its actor is the sync, and not the user who has sent the request
  const caller = callerOfSync(owner, connectionId)
  await database.transaction(caller, 'Copying contacts from Insightly', async () => {
    // two requests at the same time must not start two syncs
    await lockConnections()
    if (!(await lockConnection(owner, connectionId))) throw new Refusal('not_found')
    const running = await findRunningSync(owner, connectionId)
    if (running && !running.isLost) return
    if (running) {
      await endSync(owner, running.id, { status: 'failed', at: now(), problem: 'The server could not finish it. Start it again.' })
      await closeGroup(database, caller, running.change, formatEndLabel(running.written))
    }
    const change = await openGroupHere({})
    const changedSince = isFull ? null : await readChangedSince(owner, connectionId)
    const sync = await insertSync(owner, { connectionId, change, changedSince, startedAt: now() })
    await enqueue(syncJob, { sync }, { key: change })
  })
  return database.read(callerFor(owner), async () => {
    const [newest] = await readSyncs(owner, connectionId)
    if (!newest) throw new Refusal('not_found')
    return newest
  })
}

/** Stops the running sync of a connection, if one runs. Throws `not_found` for an unknown connection. */
export async function stopSync(services: Services, caller: Caller, connectionId: string): Promise<void> {
  const stored = await services.database.read(caller, () => findConnection(caller.owner, connectionId))
  if (!stored) throw new Refusal('not_found')
  await stopIfRunning(services, caller.owner, connectionId)
}

/** Stops the running sync of a connection, if one runs, and finishes its change. What it has stored stays. */
export async function stopIfRunning({ database, now }: Services, owner: string, connectionId: string): Promise<void> {
  const caller = callerOfSync(owner, connectionId)
  await database.transaction(caller, '', async () => {
    const stopped = await stopRunningSync(owner, connectionId, now())
    if (stopped) await closeGroup(database, caller, stopped.change, formatEndLabel(stopped.written))
  })
}

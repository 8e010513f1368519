// Sync: copies contacts from another CRM, once or repeatedly, until a business uses only Foyer.
import type pg from 'pg'
import { crmConnectionRoutes, syncFunctionRoutes } from '#contract/crmConnections.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { deleteOrphans } from '#server/platform/journal/orphans.ts'
import { addConnection, listConnections, readConnection, removeConnection, replaceKey } from './connections.ts'
import { createSyncJobHandler } from './sync.job.ts'
import { startSync, stopSync } from './start.ts'
import { readSyncs } from './syncs.store.ts'

export const syncFeature: Feature = {
  mount: (router, context) => {
    const { database } = context
    mount(router, crmConnectionRoutes, {
      list: async ({ caller }) => ({ rows: await database.read(caller, () => listConnections(context, caller.owner)) }),
      create: ({ caller, body, signal }) => addConnection(context, caller, body, signal),
      get: ({ caller, params }) => database.read(caller, () => readConnection(context, caller.owner, params.id)),
      replaceKey: ({ caller, params, body, signal }) => replaceKey(context, caller, params.id, body, signal),
      delete: ({ caller, params }) => removeConnection(context, caller, params.id),
      syncs: ({ caller, params }) =>
        database.read(caller, async () => {
          await readConnection(context, caller.owner, params.id)
          return { rows: await readSyncs(caller.owner, params.id) }
        }),
      stop: ({ caller, params }) => stopSync(context, caller, params.id),
    })
    mount(router, syncFunctionRoutes, {
      sync: ({ caller, body }) => startSync(context, caller, body.connectionId, body.full),
    })
  },
  // the server sends the application for all addresses below /crm too; for unknown ones the application shows its not-found page
  webScreens: [{ path: '/crm', module: 'web/sync/CrmPage.tsx' }],
  jobs: (context) => [createSyncJobHandler(context)],
  trashTables: [{ table: 'crm_connections', titleOf: ({ api_url }) => (typeof api_url === 'string' ? api_url : '') }],
  takeoutTables: [{ table: 'crm_syncs', name: 'crm_syncs' }],
  tablesForSessionsOnly: ['crm_connections'],
  schedules: (tableOwner) => [
    { name: 'keys and syncs of CRM connections', everySeconds: 24 * 60 * 60, run: () => deleteUnused(tableOwner) },
  ],
}

/** Deletes the keys and syncs of connections that neither exist nor can come back by an undo. */
async function deleteUnused(tableOwner: pg.Pool): Promise<void> {
  await deleteOrphans(tableOwner, { table: 'crm_connection_keys', column: 'id', parent: 'crm_connections' })
  await deleteOrphans(tableOwner, { table: 'crm_syncs', column: 'connection_id', parent: 'crm_connections' })
}

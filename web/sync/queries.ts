import { useEffect } from 'react'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { crmConnectionRoutes, syncFunctionRoutes, type CrmConnection, type CrmSync } from '#contract/crmConnections.ts'
import { call, callForChange } from '#web/lib/client.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import { followChange, toastChange } from '#web/lib/undo.ts'
import { describeCounts } from './describeSync.ts'

const tables = ['crm_connections', 'crm_syncs']
/** Live updates may be missed while the connection is lost, so the screen also polls while a sync is running. */
const pollMs = 3000

/** The query of all connections with their last syncs. */
export const connectionsQuery = queryOptions({
  queryKey: ['crm_connections'],
  meta: { tables },
  queryFn: ({ signal }) => call(crmConnectionRoutes.list, {}, { signal }),
  refetchInterval: ({ state }) => (state.data?.rows.some(({ last_sync }) => last_sync && isUnfinished(last_sync)) ? pollMs : false),
})

/** The query of the last syncs of a connection. */
export const syncsQuery = (id: string) =>
  queryOptions({
    queryKey: ['crm_connections', id, 'syncs'],
    meta: { tables },
    queryFn: ({ signal }) => call(crmConnectionRoutes.syncs, { params: { id } }, { signal }),
  })

export const isUnfinished = ({ finished_at }: CrmSync): boolean => finished_at === null

/** The ids of the syncs that ran while this tab was open. A toast announces their end. */
const followed = new Set<string>()

/** Starts a sync. `full`: reads all contacts, not only the changed ones. */
export function useSync() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { connectionId: string; full: boolean }) => call(syncFunctionRoutes.sync, { body }),
    onError: (error) => toastError(error),
    onSuccess: ({ id }) => void followed.add(id),
    onSettled: () => queries.invalidateQueries(connectionsQuery),
  })
}

export function useStopSync() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(crmConnectionRoutes.stop, { params: { id } }),
    onError: (error) => toastError(error),
    onSettled: () => queries.invalidateQueries(connectionsQuery),
  })
}

export function useDeleteConnection() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: CrmConnection) => callForChange(crmConnectionRoutes.delete, { params: { id } }),
    onError: (error) => toastError(error),
    onSuccess: ({ changeId, isRunning }) => {
      const doneTitle = 'CRM connection deleted'
      if (!isRunning) return toastChange(doneTitle, changeId, 'Its contacts stay.')
      void followChange(changeId, { runningTitle: 'Deleting CRM connection', doneTitle, message: 'Its contacts stay.' })
    },
    onSettled: () => queries.invalidateQueries(connectionsQuery),
  })
}

/** Shows a toast when a sync ends that was running while this tab was open. */
export function useSyncToasts(connections: readonly CrmConnection[] | undefined): void {
  useEffect(() => {
    for (const { last_sync } of connections ?? []) {
      if (!last_sync) continue
      if (isUnfinished(last_sync)) followed.add(last_sync.id)
      else if (followed.delete(last_sync.id)) toastEnd(last_sync)
    }
  }, [connections])
}

function toastEnd(sync: CrmSync): void {
  const { status, problem, change, created, updated } = sync
  if (status === 'failed') return toast({ kind: 'error', title: 'Error', message: problem ?? undefined })
  if (status !== 'done') return
  if (created + updated > 0) toastChange('CRM data synced', change, describeCounts(sync))
  else toast({ kind: 'success', title: 'CRM data synced', message: describeCounts(sync) })
}

import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { ImportDetails } from '#contract/imports.ts'
import { isNotFound } from '#web/lib/client.ts'
import { formatCount } from '#web/lib/format.ts'
import { useStore } from '#web/lib/store.ts'
import { dismissToast, setToastMessage, showLastingToast, toast } from '#web/lib/toasts.ts'
import { storeForUndo } from '#web/lib/undo.ts'
import { importNouns } from '../kinds.ts'
import { importQuery } from '../queries.ts'
import { describeProgress } from '../result/describeImport.ts'
import { runningImports, stopFollowing } from './runningImports.ts'

/** Shows the progress of the imports of this browser as toasts on all screens, and a toast at the end of each. */
export const RunningImports = () => useStore(runningImports).map((id) => <RunningImport key={id} id={id} />)

function RunningImport({ id }: { id: string }) {
  const { data, error } = useQuery(importQuery(id))
  const navigate = useNavigate()
  const address = `/crm/imports/${id}`
  const isOnItsPage = useLocation().pathname === address
  const isShown = data?.status === 'running' && !isOnItsPage
  const message = data && describeProgress(data)
  const toastId = useRef<number>(undefined)
  const show = useEffectEvent(() => {
    const title = `Importing ${data?.file_name ?? ''}`
    toastId.current = showLastingToast({ title, message, action: { label: 'Show', run: () => void navigate({ href: address }) } })
  })
  useEffect(() => {
    if (!isShown) return undefined
    show()
    return () => {
      if (toastId.current !== undefined) dismissToast(toastId.current)
      toastId.current = undefined
    }
  }, [isShown])
  useEffect(() => {
    if (toastId.current !== undefined) setToastMessage(toastId.current, message)
  }, [message])
  const hasEnded = data !== undefined && data.status !== 'running' && data.status !== 'uploaded'
  const isMissing = isNotFound(error)
  const end = useEffectEvent(() => {
    if (hasEnded) announceEnd(data)
    stopFollowing(id)
  })
  useEffect(() => {
    if (hasEnded || isMissing) end()
  }, [hasEnded, isMissing])
  return null
}

/** Shows a toast for an import that has ended by itself. */
function announceEnd({ status, kind, created, updated, skipped, failed, problem, undo_id: undoId }: ImportDetails): void {
  const { singular, plural } = importNouns[kind]
  if (status === 'stopped') return // by the user
  if (status === 'failed') return toast({ kind: 'error', title: 'Import Failed', message: problem || `Failed to import ${plural}` })
  const imported = created + updated
  const failures = failed > 0 ? `${formatCount(failed, 'row')} failed.` : ''
  if (imported + skipped === 0 && failed > 0)
    return toast({ kind: 'error', title: 'Import Failed', message: `Nothing was imported. ${failures}` })
  if (imported + skipped + failed === 0)
    return toast({ kind: 'error', title: 'Import Failed', message: 'Nothing was imported. The file has no rows.' })
  const result =
    imported === 0 ? `Nothing to import: ${formatCount(skipped, 'row')} skipped` : `Imported ${formatCount(imported, singular, plural)}`
  const message = `${result}${failures && `. ${failures}`}`
  storeForUndo(undoId ?? undefined, result)
  toast({ kind: 'success', title: 'Import Successful', message, changeId: undoId ?? undefined })
}

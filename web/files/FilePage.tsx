import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { describeError } from '#web/lib/toasts.ts'
import { hasNoRecord, MissingPage } from '#web/records/kind/MissingPage.tsx'
import { recordQuery } from '#web/records/kind/queries.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { fileKind } from './kind/fileKind.ts'

const route = getRouteApi('/signed-in/files/file/$fileId')

/** The address of a file. Opens the folder or the contact of the file. */
export function FilePage() {
  const { fileId } = route.useParams()
  const { data: file, error, refetch, isFetching } = useQuery(recordQuery(fileKind, fileId))
  if (hasNoRecord(error)) return <MissingPage kind={{ ...fileKind, path: '/files' }} />
  if (file?.contact_id) return <Navigate to="/crm/contacts/$id" params={{ id: file.contact_id }} replace />
  if (file?.folder_id) return <Navigate to="/files/folder/$folderId" params={{ folderId: file.folder_id }} replace />
  if (file) return <Navigate to="/files" replace />
  return (
    <>
      <PageBar title="File" />
      {error ? (
        <FailedState title="Error fetching files" reason={describeError(error)} onRetry={() => void refetch()} isRetrying={isFetching} />
      ) : (
        <ListSkeleton />
      )}
    </>
  )
}

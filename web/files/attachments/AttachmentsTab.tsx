import { Button } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { fileRoutes } from '#contract/files.ts'
import { describeError } from '#web/lib/toasts.ts'
import { LinkedCount } from '#web/records/links/LinkedCount.tsx'
import { useRecordList } from '#web/records/list/useRecordList.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { fileKind } from '../kind/fileKind.ts'
import { UploadArea } from '../upload/UploadArea.tsx'
import { useDropTarget } from '../upload/useDropTarget.ts'
import { usePasteFiles } from '../upload/usePasteFiles.ts'
import classes from './Attachments.module.css'
import { AttachmentTable } from './AttachmentTable.tsx'

/** The files of a contact, newest first. Files that are dropped on the tab are uploaded to the contact. */
export function AttachmentsTab({ contactId, contactName }: { contactId: string; contactName: string }) {
  const place = { folder_id: null, contact_id: contactId }
  const dropTarget = useDropTarget(place, contactName)
  usePasteFiles(place)
  const list = useRecordList(fileKind, {
    search: '',
    filter: [{ field: 'contact_id', is: [contactId] }],
    sort: 'newest',
    order: 'asc',
  })
  const { rows, failure, nextPageError, isLoading, isRetrying, isEmpty, hasNextPage, setVisibleRows } = list
  // a change refetches only the visible pages of a list, and here all of them are visible
  const makeAllVisible = useEffectEvent((count: number) => setVisibleRows(0, count))
  useEffect(() => makeAllVisible(rows.length), [rows.length])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the area in it can be used with the keyboard
    <section className={classes['tab']} aria-label="Attachments" {...dropTarget.handlers}>
      <UploadArea place={place} name={contactName} linkText="choose files" isCompact />
      {rows.length > 0 && <AttachmentTable files={rows} />}
      {isEmpty && <p className={classes['empty']}>No files yet. Keep offers, drawings and photos of this contact here.</p>}
      {failure && <FailedState title="Error fetching files" reason={describeError(failure)} onRetry={list.retry} isRetrying={isRetrying} />}
      {isLoading && rows.length === 0 && <ListSkeleton rows={3} columns={[60, 60, 90]} />}
      {hasNextPage && rows.length > 0 && (
        <div className={classes['more']}>
          {nextPageError && <p role="alert">Older files could not be loaded. {describeError(nextPageError)}</p>}
          <Button variant="default" loading={isLoading} onClick={nextPageError ? list.retry : list.loadNextPage}>
            {nextPageError ? 'Try again' : 'Load more'}
          </Button>
        </div>
      )}
    </section>
  )
}

/** The number of files of a contact, for the label of the tab. */
export const AttachmentsCount = ({ contactId }: { contactId: string }) => (
  <LinkedCount table={fileKind.table} route={fileRoutes.count} field="contact_id" id={contactId} />
)

import { Button } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { fileRoutes } from '#contract/files.ts'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { describeError } from '#web/lib/toasts.ts'
import { LinkedCount } from '#web/records/links/LinkedCount.tsx'
import { useRecordList } from '#web/records/list/useRecordList.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { fileKind } from '../kind/fileKind.ts'
import { UploadArea } from '../upload/UploadArea.tsx'
import { usePasteFiles } from '../upload/usePasteFiles.ts'
import classes from './Attachments.module.css'
import { AttachmentTable } from './AttachmentTable.tsx'

const AttachDialog = lazyPart(() => import('./AttachDialog.tsx').then((module) => module.AttachDialog))

/** The files of a contact, newest first. */
export function AttachmentsTab({ contactId, contactName }: { contactId: string; contactName: string }) {
  const place = { folder_id: null, contact_id: contactId }
  const [isAttachOpen, setAttachOpen] = useState(false)
  usePasteFiles(place)
  const list = useRecordList(fileKind, {
    search: '',
    filter: [{ field: 'contact_id', is: [contactId] }],
    sort: 'newest',
    order: 'asc', // the server ignores the order of the sort `newest`
  })
  const { rows, failure, nextPageError, isLoading, isRetrying, isEmpty, hasNextPage, setVisibleRows } = list
  // a change refetches only the pages with visible rows, and this table has no scroll position of its own, so all its rows count as visible
  const makeAllVisible = useEffectEvent((count: number) => setVisibleRows(0, count))
  useEffect(() => makeAllVisible(rows.length), [rows.length])
  return (
    <section aria-label="Attachments">
      <div className={classes['add']}>
        <UploadArea place={place} name={contactName} linkText="choose files" isCompact />
        <Button variant="default" leftSection={<IconPaperclip size={16} stroke={1.75} />} onClick={() => setAttachOpen(true)}>
          Attach from Files
        </Button>
      </div>
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
      {isAttachOpen && (
        <AttachDialog
          contactId={contactId}
          contactName={contactName}
          onLoadCancelled={() => setAttachOpen(false)}
          onClose={() => setAttachOpen(false)}
        />
      )}
    </section>
  )
}

/** The number of files of a contact, for the label of the tab. */
export const AttachmentsCount = ({ contactId }: { contactId: string }) => (
  <LinkedCount table={fileKind.table} route={fileRoutes.count} field="contact_id" id={contactId} />
)

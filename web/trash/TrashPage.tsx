import { useState } from 'react'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { undoDays, type TrashEntry } from '#contract/changes.ts'
import { describeError } from '#web/lib/toasts.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { EraseDialog } from './EraseDialog.tsx'
import { trashQuery } from './queries.ts'
import { TrashList } from './TrashList.tsx'
import classes from './TrashPage.module.css'

/** The page of deleted records that can still be restored. */
export function TrashPage() {
  const trash = useInfiniteQuery(trashQuery)
  const [entryToErase, setEntryToErase] = useState<TrashEntry | 'all'>()
  const rows = trash.data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <>
      <PageBar
        title="Trash"
        actions={
          rows.length > 0 && (
            <Button variant="default" onClick={() => setEntryToErase('all')}>
              Empty trash
            </Button>
          )
        }
      />
      <p className={classes['text']}>What you delete can be restored for {undoDays} days. Then it is erased for good.</p>
      <div className={classes['body']}>
        {trash.isPending && <ListSkeleton height={52} columns={[140, 90]} />}
        {trash.isError && rows.length === 0 && (
          <FailedState
            title="The trash could not be loaded"
            reason={describeError(trash.error)}
            onRetry={() => void trash.refetch()}
            isRetrying={trash.isFetching}
          />
        )}
        {trash.isSuccess && rows.length === 0 && <EmptyTrash />}
        <TrashList entries={rows} hasMore={trash.hasNextPage} onErase={setEntryToErase} />
        {trash.hasNextPage && (
          <div className={classes['more']}>
            <Button variant="default" onClick={() => void trash.fetchNextPage()} loading={trash.isFetchingNextPage}>
              Show more
            </Button>
          </div>
        )}
      </div>
      {entryToErase && <EraseDialog entry={entryToErase} onClose={() => setEntryToErase(undefined)} />}
    </>
  )
}

const EmptyTrash = () => (
  <EmptyState title="The trash is empty">What you delete waits here for {undoDays} days, in case you want it back.</EmptyState>
)

import { Fragment, useState } from 'react'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { undoDays, type TrashEntry } from '#contract/changes.ts'
import { sentenceOf } from '#web/lib/toasts.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { EraseDialog } from './EraseDialog.tsx'
import { groupsOf } from './entries.ts'
import { trashPages } from './queries.ts'
import { TrashGroup } from './TrashGroup.tsx'
import { TrashRow } from './TrashRow.tsx'
import classes from './TrashPage.module.css'

/** What was deleted and can still come back. */
export function TrashPage() {
  const trash = useInfiniteQuery(trashPages)
  const [erasing, setErasing] = useState<TrashEntry | 'all'>()
  const rows = trash.data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <>
      <PageBar
        title="Trash"
        actions={
          rows.length > 0 && (
            <Button variant="default" onClick={() => setErasing('all')}>
              Empty trash
            </Button>
          )
        }
      />
      <p className={classes['words']}>What you delete can be restored for {undoDays} days. Then it is erased for good.</p>
      <div className={classes['body']}>
        {trash.isPending && <ListSkeleton height={52} columns={[140, 90]} />}
        {trash.isError && rows.length === 0 && (
          <FailedState
            title="The trash could not be loaded"
            reason={sentenceOf(trash.error)}
            onRetry={() => void trash.refetch()}
            retrying={trash.isFetching}
          />
        )}
        {trash.isSuccess && rows.length === 0 && <EmptyTrash />}
        <ul>
          {groupsOf(rows, trash.hasNextPage).map((group) => (
            <Fragment key={group.change}>
              {group.entries.length > 1 && <TrashGroup group={group} />}
              {group.entries.map((entry) => (
                <TrashRow key={entry.id} entry={entry} onErase={() => setErasing(entry)} />
              ))}
            </Fragment>
          ))}
        </ul>
        {trash.hasNextPage && (
          <div className={classes['more']}>
            <Button variant="default" onClick={() => void trash.fetchNextPage()} loading={trash.isFetchingNextPage}>
              Show more
            </Button>
          </div>
        )}
      </div>
      {erasing && <EraseDialog entry={erasing} onClose={() => setErasing(undefined)} />}
    </>
  )
}

const EmptyTrash = () => (
  <EmptyState title="The trash is empty">What you delete waits here for {undoDays} days, in case you want it back.</EmptyState>
)

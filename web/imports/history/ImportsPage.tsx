import { ActionIcon, Button } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconPlayerStop, IconTrash, IconUpload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Import } from '#contract/imports.ts'
import { openImport } from '#web/lib/importDialog.ts'
import { describeError } from '#web/lib/toasts.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { importsQuery } from '../queries.ts'
import { ImportSummary } from './ImportSummary.tsx'
import classes from './ImportsPage.module.css'
import { isRemovable, useDiscardImport, useRedoImport, useRemoveImport, useStopImport, useUndoImport } from './importActions.ts'

/** The history of all imports, each with its actions. */
export function ImportsPage() {
  const imports = useInfiniteQuery(importsQuery)
  const rows = imports.data?.pages.flatMap((page) => page.rows)
  return (
    <div className={classes['page']}>
      <PageBar title="Imports" actions={rows && rows.length > 0 && <ImportButton />} />
      {/* a scrolling area must be reachable with the keyboard */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={classes['scroller']} aria-label="All imports" tabIndex={0}>
        {imports.isPending && <ListSkeleton rows={8} height={64} columns={[220, 110]} />}
        {!rows && imports.error && (
          <FailedState
            title="The imports could not be loaded"
            reason={describeError(imports.error)}
            onRetry={() => void imports.refetch()}
            isRetrying={imports.isFetching}
          />
        )}
        {rows?.length === 0 && (
          <EmptyState title="Bring what you have" actions={<ImportButton />}>
            Contacts, companies, deals and tasks from any file: a table, an address book or a text. Every import is listed here, and can be
            undone for 30 days.
          </EmptyState>
        )}
        {rows && rows.length > 0 && (
          <ul className={classes['list']} aria-busy={imports.isFetching}>
            {rows.map((summary) => (
              <li key={summary.id}>
                <ImportSummary summary={summary} />
                <ImportButtons summary={summary} />
              </li>
            ))}
          </ul>
        )}
        {imports.hasNextPage && (
          <Button
            className={classes['more'] ?? ''}
            variant="subtle"
            loading={imports.isFetchingNextPage}
            onClick={() => void imports.fetchNextPage()}
          >
            Show more imports
          </Button>
        )}
      </section>
    </div>
  )
}

const ImportButton = () => (
  <Button variant="filled" leftSection={<IconUpload size={16} stroke={1.75} />} onClick={() => openImport('contact')}>
    Import contacts
  </Button>
)

function ImportButtons({ summary }: { summary: Import }) {
  const { id, file_name: name, status, undo_id: undoId, redo_id: redoId } = summary
  const undo = useUndoImport()
  const redo = useRedoImport()
  const remove = useRemoveImport()
  const stop = useStopImport()
  const discard = useDiscardImport()
  return (
    <div className={classes['buttons']}>
      {status === 'uploaded' && (
        <Button
          variant="subtle"
          aria-label={`Discard ${name}`}
          leftSection={<IconTrash size={16} stroke={1.75} />}
          loading={discard.isPending}
          onClick={() => discard.mutate(summary)}
        >
          Discard
        </Button>
      )}
      {status === 'running' && (
        <Button
          variant="subtle"
          aria-label={`Stop ${name}`}
          leftSection={<IconPlayerStop size={16} stroke={1.75} />}
          loading={stop.isPending}
          onClick={() => stop.mutate(id)}
        >
          Stop
        </Button>
      )}
      {undoId && status !== 'running' && (
        <Button
          variant="subtle"
          aria-label={`Undo import of ${name}`}
          leftSection={<IconArrowBackUp size={16} stroke={1.75} />}
          loading={undo.isPending}
          onClick={() => undo.mutate(summary)}
        >
          Undo
        </Button>
      )}
      {redoId && (
        <Button
          variant="subtle"
          aria-label={`Redo import of ${name}`}
          leftSection={<IconArrowForwardUp size={16} stroke={1.75} />}
          loading={redo.isPending}
          onClick={() => redo.mutate(summary)}
        >
          Redo
        </Button>
      )}
      {isRemovable(summary) && (
        <ActionIcon
          aria-label={`Remove ${name} from the history`}
          title="Remove from the history"
          loading={remove.isPending}
          onClick={() => remove.mutate(summary)}
        >
          <IconTrash size={16} stroke={1.75} />
        </ActionIcon>
      )}
    </div>
  )
}

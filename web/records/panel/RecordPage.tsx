import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isNotFound } from '#web/lib/client.ts'
import { useActions } from '#web/lib/actions.ts'
import type { Icon } from '#web/lib/features.ts'
import { capitalise } from '#web/lib/format.ts'
import { describeError } from '#web/lib/toasts.ts'
import { useRecentRecord } from '#web/lib/recentRecords.ts'
import { useDeleteRecords, type DeletableKind } from '#web/records/bulk/useDeleteRecords.ts'
import { BackToList } from '#web/records/kind/BackToList.tsx'
import { MissingPage } from '#web/records/kind/MissingPage.tsx'
import type { SavedRecord } from '#web/records/form/recordForm.ts'
import { getEditAddress, type EditableKind } from '#web/records/kind/kind.ts'
import { recordQuery } from '#web/records/kind/queries.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { Warning } from '#web/ui/Warning.tsx'
import { MoreMenu } from './MoreMenu.tsx'
import { useNeighbours } from './neighbours.ts'
import { RecordCardSkeleton } from './RecordCard.tsx'
import classes from './RecordPage.module.css'
import { Timeline } from './Timeline.tsx'

type PageKind<Full extends SavedRecord> = EditableKind<Full> & DeletableKind

type RecordPageProps<Full extends SavedRecord> = {
  kind: PageKind<Full>
  /** The icon of "Contact created" in the timeline. */
  createdIcon: Icon
  children: (record: Full) => ReactNode
}

/** The page of the record whose id is in the URL, with its actions and its timeline. */
export function RecordPage<Full extends SavedRecord>({ kind, createdIcon, children }: RecordPageProps<Full>) {
  const { id = '' } = useParams({ strict: false })
  const { data: record, error, refetch, isFetching } = useQuery(recordQuery(kind, id))
  // adds the record to the list of recently opened records
  useRecentRecord(kind.singular, record && { id, title: kind.titleOf(record), detail: kind.detailOf(record) })
  // a record that is deleted while it is shown stays, so that text that is typed in place is not lost
  if (!record && isNotFound(error)) return <MissingPage kind={kind} />
  return (
    <>
      <PageBar
        title={record ? kind.titleOf(record) : capitalise(kind.singular)}
        breadcrumb={[<BackToList key="list" kind={kind} />]}
        actions={
          <>
            <NeighbourButtons kind={kind} id={id} />
            {record && <RecordActions kind={kind} id={id} />}
          </>
        }
      />
      <div className={classes['scroller']}>
        {record && (
          <div className={classes['columns']}>
            <div className={classes['record']}>
              {isNotFound(error) && (
                // does not take the focus, which may be in a field where the user types
                <Warning title={`This ${kind.singular} was deleted`} takesFocus={false}>
                  You see its last values.{' '}
                  <Link className="link" to="/trash">
                    Open the trash
                  </Link>{' '}
                  to restore it.
                </Warning>
              )}
              {children(record)}
            </div>
            <Timeline kind={kind} recordId={id} createdIcon={createdIcon} />
          </div>
        )}
        {!record && error && (
          <FailedState
            title={`The ${kind.singular} could not be loaded`}
            reason={describeError(error)}
            onRetry={() => void refetch()}
            isRetrying={isFetching}
          />
        )}
        {!record && !error && <PageSkeleton />}
      </div>
    </>
  )
}

/** The menu and the edit button of the record. */
function RecordActions<Full extends SavedRecord>({ kind, id }: { kind: PageKind<Full>; id: string }) {
  const { singular, path } = kind
  const navigate = useNavigate()
  const deletion = useDeleteRecords(kind)
  const address = getEditAddress(kind, id)
  const remove = () => {
    deletion.mutate({ ids: [id] })
    void navigate({ to: path })
  }
  useActions([
    { keys: 'e', label: `Edit ${singular}`, icon: IconPencil, run: () => void navigate({ to: address }) },
    { keys: 'Delete #', label: `Delete ${singular}`, icon: IconTrash, run: remove },
  ])
  return (
    <>
      <MoreMenu record={{ kind: singular, id }} onDelete={remove} />
      <Tooltip label={`Edit ${singular} (E)`}>
        <Button
          variant="filled"
          renderRoot={(props) => <Link to={address} {...props} />}
          leftSection={<IconPencil size={16} stroke={1.75} />}
          aria-keyshortcuts="e"
        >
          Edit {singular}
        </Button>
      </Tooltip>
    </>
  )
}

/** Keeps the URL parameters when another record is opened. */
const keepParameters = (parameters: Record<string, unknown>) => parameters

/** The buttons that open the previous and next record of the list. They replace the history entry, so that Back still opens the list. */
function NeighbourButtons<Full extends SavedRecord>({ kind, id }: { kind: PageKind<Full>; id: string }) {
  const { previous, next, position } = useNeighbours(kind, id)
  const navigate = useNavigate()
  const { singular, path } = kind
  const open = (otherId: string | undefined): void => {
    if (otherId) void navigate({ to: `${path}/${otherId}`, search: keepParameters, replace: true })
  }
  useActions(
    position === undefined
      ? []
      : [
          { keys: 'k', label: `Previous ${singular}`, icon: IconArrowUp, run: () => open(previous) },
          { keys: 'j', label: `Next ${singular}`, icon: IconArrowDown, run: () => open(next) },
        ],
  )
  if (position === undefined) return null
  return (
    <div className={classes['neighbours']}>
      <span className={classes['position']}>{position}</span>
      <Tooltip label={`Previous ${singular} (K)`}>
        <ActionIcon aria-label={`Previous ${singular}`} disabled={!previous} onClick={() => open(previous)}>
          <IconArrowUp size={18} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={`Next ${singular} (J)`}>
        <ActionIcon aria-label={`Next ${singular}`} disabled={!next} onClick={() => open(next)}>
          <IconArrowDown size={18} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}

const PageSkeleton = () => (
  <output className={classes['columns']} aria-label="Loading">
    <div className={classes['record']}>
      <RecordCardSkeleton />
    </div>
    <div className={classes['aside']} />
  </output>
)

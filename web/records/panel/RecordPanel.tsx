import { ActionIcon } from '@mantine/core'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { KindName } from '#contract/kinds.ts'
import { kindByName } from '#web/lib/features.ts'
import { sentenceOf } from '#web/lib/toasts.ts'
import { useVisit } from '#web/lib/visits.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { isMissing } from '#web/records/form/restoreRecord.ts'
import { MoreMenu } from './MoreMenu.tsx'
import { PanelMissing, PanelSection, PanelWaiting, SidePanel } from './SidePanel.tsx'
import { TimelineEntries, type Telling } from './Timeline.tsx'
import { useDeleteRecords, type DeletableKind } from '#web/records/bulk/useDeleteRecords.ts'

type RecordPanelProps<Kept> = {
  /** `path` is where the list stands: "/crm/deals". */
  kind: DeletableKind & { singular: KindName; path: string }
  id: string
  /** `panel` of the address: whether it fills the page. */
  asPage: boolean
  record: UseQueryResult<Kept>
  /** How the palette remembers it: what it is called, and what tells it from others of that name. */
  visit: (record: Kept) => { title: string; detail: string }
  /** How its history is told, below all else. */
  tell: Telling['tell']
  children: (record: Kept) => ReactNode
}

const shownAs = (panel?: 'page') => (before: Record<string, unknown>) => ({ ...before, panel })

/** A record in a panel over its list, with what can be done with it and the dialogs over it; also while it is on its way, gone or failed. */
export function RecordPanel<Kept>({ kind, id, asPage, record, visit, tell, children }: RecordPanelProps<Kept>) {
  const { singular, path } = kind
  const navigate = useNavigate()
  const deleting = useDeleteRecords(kind)
  const close = () => void navigate({ to: path, search: shownAs() })
  const edit = () => void navigate({ to: `${path}/${id}/edit`, search: (before: Record<string, unknown>) => before })
  const remove = () => {
    deleting.mutate({ ids: [id] })
    close()
  }
  const { data, error } = record
  useVisit(singular, data && { id, ...visit(data) })
  return (
    <>
      <SidePanel
        noun={singular}
        id={id}
        asPage={asPage}
        onPage={(page) => void navigate({ to: '.', search: shownAs(page ? 'page' : undefined), replace: true })}
        onGo={(to) => void navigate({ to: `${path}/${to}`, search: (before: Record<string, unknown>) => before, replace: true })}
        onClose={close}
        keys={[
          { keys: 'e', label: `Edit ${singular}`, run: edit },
          { keys: 'Delete #', label: `Delete ${singular}`, run: remove },
        ]}
        menu={data && <PanelMenu noun={singular} onEdit={edit} onDelete={remove} />}
      >
        {data && children(data)}
        {data && (
          <PanelSection title="Activity">
            <TimelineEntries record={id} tell={tell} createdIcon={kindByName(singular)?.icon ?? IconPlus} />
          </PanelSection>
        )}
        {!data && !error && <PanelWaiting />}
        {!data && error && isMissing(error) && <PanelMissing noun={singular} />}
        {!data && error && !isMissing(error) && (
          <FailedState
            title={`The ${singular} could not be loaded`}
            reason={sentenceOf(error)}
            onRetry={() => void record.refetch()}
            retrying={record.isFetching}
          />
        )}
      </SidePanel>
      <Outlet />
    </>
  )
}

const PanelMenu = ({ noun, onEdit, onDelete }: { noun: string; onEdit: () => void; onDelete: () => void }) => (
  <>
    <ActionIcon aria-label={`Edit ${noun}`} title={`Edit ${noun} (E)`} onClick={onEdit}>
      <IconPencil size={18} stroke={1.7} />
    </ActionIcon>
    <MoreMenu noun={noun} onDelete={onDelete} />
  </>
)

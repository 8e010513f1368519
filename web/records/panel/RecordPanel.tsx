import { ActionIcon } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import { describeError } from '#web/lib/toasts.ts'
import { useRecentRecord } from '#web/lib/recentRecords.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import type { KindName } from '#contract/kinds.ts'
import { isNotFound } from '#web/lib/client.ts'
import type { FieldInputs } from '#web/records/form/FieldInput.tsx'
import { EditableTitle } from '#web/records/panel/EditableTitle.tsx'
import type { EditableKind } from '#web/records/kind/kind.ts'
import { recordQuery } from '#web/records/kind/queries.ts'
import { MoreMenu } from './MoreMenu.tsx'
import { MissingRecord, PanelSection, PanelTitle, PanelSkeleton, SidePanel } from './SidePanel.tsx'
import { TimelineEntries } from './Timeline.tsx'
import { useDeleteRecords } from '#web/records/bulk/useDeleteRecords.ts'

type RecordPanelProps<Full extends { id: string; version: number }> = {
  kind: EditableKind<Full>
  inputs: FieldInputs<Full>
  /** The field with the title of the record. */
  titleField: string
  children: (record: Full) => ReactNode
}

type UrlParameters = Record<string, unknown>

/** Keeps the URL parameters when another screen is opened. */
const keepParameters = (parameters: UrlParameters) => parameters

/** Sets the URL parameter `panel`: with `page` the panel fills the page. */
const setPanel = (panel: 'page' | undefined) => (parameters: UrlParameters) => ({ ...parameters, panel })

/** The panel of the record whose id is in the URL, over its list, with its actions and its timeline. */
export function RecordPanel<Full extends { id: string; version: number }>({ kind, inputs, titleField, children }: RecordPanelProps<Full>) {
  const { singular, path } = kind
  const { id = '' } = useParams({ strict: false })
  const { panel } = useSearch({ strict: false })
  const record = useQuery(recordQuery(kind, id))
  const navigate = useNavigate()
  const deletion = useDeleteRecords(kind)
  const close = () => void navigate({ to: path, search: setPanel(undefined) })
  const edit = () => void navigate({ to: `${path}/${id}/edit`, search: keepParameters })
  const remove = () => {
    deletion.mutate({ ids: [id] })
    close()
  }
  const { data, error } = record
  const loadError = data ? null : error
  const hasNoRecord = isNotFound(loadError)
  const titleFields = useMemo(() => [titleField], [titleField])
  useRecentRecord(singular, data && { id, title: kind.titleOf(data), detail: kind.detailOf(data) })
  return (
    <>
      <SidePanel
        noun={singular}
        id={id}
        title={data && kind.titleOf(data)}
        isFullPage={panel === 'page'}
        onFullPageChange={(isFullPage) => void navigate({ to: '.', search: setPanel(isFullPage ? 'page' : undefined), replace: true })}
        onOpen={(otherId) => void navigate({ to: `${path}/${otherId}`, search: keepParameters, replace: true })}
        onClose={close}
        shortcuts={[
          { keys: 'e', label: `Edit ${singular}`, run: edit },
          { keys: 'Delete #', label: `Delete ${singular}`, run: remove },
        ]}
        buttons={data && <PanelButtons record={{ kind: singular, id }} onEdit={edit} onDelete={remove} />}
      >
        {data && (
          <PanelTitle
            renderHeading={(heading) => (
              <EditableTitle kind={kind} record={data} inputs={inputs} fields={titleFields} noun={titleField}>
                {heading}
              </EditableTitle>
            )}
          >
            {kind.titleOf(data)}
          </PanelTitle>
        )}
        {data && children(data)}
        {data && (
          <PanelSection title="Activity">
            <TimelineEntries kind={kind} recordId={id} />
          </PanelSection>
        )}
        {!data && !error && <PanelSkeleton />}
        {loadError && hasNoRecord && <MissingRecord noun={singular} />}
        {loadError && !hasNoRecord && (
          <FailedState
            title={`The ${singular} could not be loaded`}
            reason={describeError(loadError)}
            onRetry={() => void record.refetch()}
            isRetrying={record.isFetching}
          />
        )}
      </SidePanel>
      <Outlet />
    </>
  )
}

type PanelButtonsProps = { record: { kind: KindName; id: string }; onEdit: () => void; onDelete: () => void }

/** The buttons for the record in the header of the panel. */
const PanelButtons = ({ record, onEdit, onDelete }: PanelButtonsProps) => (
  <>
    <ActionIcon aria-label={`Edit ${record.kind}`} title={`Edit ${record.kind} (E)`} onClick={onEdit}>
      <IconPencil size={18} stroke={1.7} />
    </ActionIcon>
    <MoreMenu record={record} onDelete={onDelete} />
  </>
)

import { Menu } from '@mantine/core'
import { IconArrowMerge, IconDownload, IconPencil, IconSparkles, IconTag, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { maxReferences } from '#contract/messageLimits.ts'
import type { KindName } from '#contract/kinds.ts'
import { maxSelectedIds } from '#contract/lists.ts'
import { askAssistant } from '#web/lib/askAssistant.ts'
import { formatNumber } from '#web/lib/format.ts'
import type { Selection } from '#web/ui/selection.ts'
import { SelectAllButton, SelectionBar, SelectionButton } from '#web/ui/SelectionBar.tsx'
import { formatSelectionCount, type BulkSelection } from './selection.ts'
import { ExportItems } from '#web/records/bulk/ExportMenu.tsx'
import type { RecordKind } from '#web/records/kind/kind.ts'
import type { ListQuery } from '#web/records/address/listSettings.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import classes from './SelectedRecords.module.css'

// `lazyPart` adds the property `onLoadCancelled`: it is called if the code cannot be loaded, or if the user presses Escape before it is loaded
const BulkEditDialog = lazyPart(() => import('#web/records/bulk/BulkEditDialog.tsx').then((module) => module.BulkEditDialog))
const BulkTagDialog = lazyPart(() => import('./BulkTagDialog.tsx').then((module) => module.BulkTagDialog))

type SelectedRecordsProps = {
  kind: Pick<RecordKind<{ id: string }>, 'singular' | 'plural' | 'table' | 'routes' | 'fields' | 'filters' | 'bulkFields' | 'mergeAddress'>
  selection: Selection
  /** The selection as a request sends it; undefined if it contains more than `maxSelectedIds` ids. */
  bulkSelection: BulkSelection | undefined
  /** `total` is the exact number of matching records, undefined if unknown; `count` is this number as text, such as "1,000+". */
  list: { rows: readonly unknown[]; total: number | undefined; count: string | null }
  sort: Pick<ListQuery, 'sort' | 'order'>
  onDelete: () => void
  onClear: () => void
  loadedRecords: readonly { id: string; title: string }[]
}

const iconProps = { size: 16, stroke: 1.75 }

/** The bulk actions on the selected records, and a button that selects all matching records. */
export function SelectedRecords(props: SelectedRecordsProps) {
  const { kind, selection, bulkSelection, list, sort, onDelete, onClear, loadedRecords } = props
  const onAsk = getAskFunction(kind.singular, loadedRecords, bulkSelection)
  const [dialog, setDialog] = useState<'edit' | 'tag'>()
  useReturnFocus()
  const selectedCount = formatSelectionCount(selection, list)
  const countLabel = `${selectedCount} ${selectedCount === '1' ? kind.singular : kind.plural}`
  const canSelectAllMatching = selection.isEveryLoadedRowSelected && !selection.isEveryMatchSelected && list.total !== list.rows.length
  const navigate = useNavigate()
  const [first, second, third] = bulkSelection?.ids ?? []
  const mergeAddress = first && second && !third ? kind.mergeAddress?.(first, second) : undefined
  const close = () => setDialog(undefined)
  return (
    <>
      <SelectionBar
        count={selectedCount}
        onClear={onClear}
        onSelectLoaded={selection.isEveryLoadedRowSelected ? undefined : selection.toggleAll}
        selectAllButton={
          canSelectAllMatching && (
            <SelectAllButton onClick={selection.selectAllMatching}>
              Select all {list.total === undefined ? list.count : formatNumber(list.total)} {kind.plural}
            </SelectAllButton>
          )
        }
      >
        {kind.bulkFields.length > 0 && (
          <SelectionButton label="Edit" icon={<IconPencil {...iconProps} />} disabled={!bulkSelection} onClick={() => setDialog('edit')} />
        )}
        {kind.routes.tagMany && (
          <SelectionButton label="Tag" icon={<IconTag {...iconProps} />} disabled={!bulkSelection} onClick={() => setDialog('tag')} />
        )}
        {mergeAddress !== undefined && (
          <SelectionButton label="Merge" icon={<IconArrowMerge {...iconProps} />} onClick={() => void navigate({ href: mergeAddress })} />
        )}
        <SelectionButton
          label={onAsk ? 'Ask about these' : `Ask about at most ${maxReferences} at once`}
          icon={<IconSparkles {...iconProps} />}
          disabled={!onAsk}
          onClick={onAsk}
        />
        <Menu position="top" width={200}>
          <Menu.Target>
            <SelectionButton label="Export" icon={<IconDownload {...iconProps} />} disabled={!bulkSelection} />
          </Menu.Target>
          <Menu.Dropdown>{bulkSelection && <ExportItems Menu={Menu} kind={kind} selection={bulkSelection} sort={sort} />}</Menu.Dropdown>
        </Menu>
        <span className={classes['divider']} />
        <SelectionButton
          label={bulkSelection ? `Delete ${countLabel}` : `Delete at most ${formatNumber(maxSelectedIds)} at once`}
          icon={<IconTrash {...iconProps} />}
          disabled={!bulkSelection}
          isDangerous
          onClick={onDelete}
        />
      </SelectionBar>
      {dialog === 'edit' && bulkSelection && (
        <BulkEditDialog kind={kind} selection={bulkSelection} countLabel={countLabel} onLoadCancelled={close} onClose={close} />
      )}
      {dialog === 'tag' && bulkSelection && (
        <BulkTagDialog kind={kind} selection={bulkSelection} countLabel={countLabel} onLoadCancelled={close} onClose={close} />
      )}
    </>
  )
}

/** Returns a function that asks the assistant about the selected records; undefined if they are too many for a message. */
function getAskFunction(
  kind: KindName,
  loadedRecords: SelectedRecordsProps['loadedRecords'],
  selection: BulkSelection | undefined,
): (() => void) | undefined {
  if (!selection) return undefined
  const { ids, matching } = selection
  if (!ids) return () => askAssistant({ list: { kind, ...matching } })
  if (ids.length > maxReferences) return undefined
  return () => askAssistant({ references: loadedRecords.filter(({ id }) => ids.includes(id)).map((record) => ({ kind, ...record })) })
}

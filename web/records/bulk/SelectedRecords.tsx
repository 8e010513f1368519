import { Button, Menu } from '@mantine/core'
import { IconDownload, IconPencil, IconTag, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useState, type ComponentProps } from 'react'
import { idsLimit } from '#contract/lists.ts'
import { formatNumber } from '#web/lib/format.ts'
import type { Selection } from '#web/ui/selection.ts'
import { SelectionBar } from '#web/ui/SelectionBar.tsx'
import { selectionCount, type BulkSelection } from './selection.ts'
import { ExportItems } from '#web/records/bulk/ExportMenu.tsx'
import type { RecordKind } from '#web/records/kind/kind.ts'
import type { ListQuery } from '#web/records/address/listSearch.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import classes from './SelectedRecords.module.css'

const BulkEditDialog = lazy(() => import('#web/records/bulk/BulkEditDialog.tsx').then((module) => ({ default: module.BulkEditDialog })))
const BulkTagDialog = lazy(() => import('./BulkTagDialog.tsx').then((module) => ({ default: module.BulkTagDialog })))

type SelectedRecordsProps<Row extends { id: string }> = {
  kind: RecordKind<Row>
  selection: Selection
  /** The selection as a request sends it; undefined if it contains more than `idsLimit` ids. */
  bulkSelection: BulkSelection | undefined
  list: { rows: readonly unknown[]; total: number | undefined; count: string | null }
  sort: Pick<ListQuery, 'sort' | 'order'>
  onDelete: () => void
  onClear: () => void
}

const icon = { size: 16, stroke: 1.75 }
const tooMany = `at most ${formatNumber(idsLimit)} at once`

/** The bulk actions on the selected records, and a button that selects all matching records. */
export function SelectedRecords<Row extends { id: string }>(props: SelectedRecordsProps<Row>) {
  const { kind, selection, bulkSelection, list, sort, onDelete, onClear } = props
  const [dialog, setDialog] = useState<'edit' | 'tag'>()
  useReturnFocus()
  const number = selectionCount(selection, list)
  const words = `${number} ${number === '1' ? kind.singular : kind.plural}`
  const canSelectMore = selection.allLoaded && !selection.allMatching && list.total !== list.rows.length
  const close = () => setDialog(undefined)
  return (
    <>
      <SelectionBar
        count={number}
        onClear={onClear}
        more={
          canSelectMore && (
            <button type="button" className={classes['everything']} onClick={selection.selectAllMatching}>
              Select all {list.total === undefined ? list.count : formatNumber(list.total)} {kind.plural}
            </button>
          )
        }
      >
        {kind.bulkFields.length > 0 && (
          <ActionButton label="Edit" icon={<IconPencil {...icon} />} disabled={!bulkSelection} onClick={() => setDialog('edit')} />
        )}
        {kind.routes.tagMany && (
          <ActionButton label="Tag" icon={<IconTag {...icon} />} disabled={!bulkSelection} onClick={() => setDialog('tag')} />
        )}
        <Menu position="top" width={200}>
          <Menu.Target>
            <ActionButton label="Export" icon={<IconDownload {...icon} />} disabled={!bulkSelection} />
          </Menu.Target>
          <Menu.Dropdown>{bulkSelection && <ExportItems kind={kind} selection={bulkSelection} sort={sort} />}</Menu.Dropdown>
        </Menu>
        <span className={classes['line']} />
        <ActionButton
          label={bulkSelection ? `Delete ${words}` : `Delete ${tooMany}`}
          icon={<IconTrash {...icon} />}
          disabled={!bulkSelection}
          danger
          onClick={onDelete}
        />
      </SelectionBar>
      <Suspense>
        {dialog === 'edit' && bulkSelection && <BulkEditDialog kind={kind} selection={bulkSelection} words={words} onClose={close} />}
        {dialog === 'tag' && bulkSelection && <BulkTagDialog kind={kind} selection={bulkSelection} words={words} onClose={close} />}
      </Suspense>
    </>
  )
}

type ActionButtonProps = ComponentProps<'button'> & { label: string; icon: React.ReactNode; danger?: boolean }

/** On phones it shows only the icon; screen readers read the label. */
function ActionButton({ label, icon: section, danger, ...button }: ActionButtonProps) {
  return (
    <Button
      {...button}
      variant="subtle"
      color="gray"
      className={classes['act'] ?? ''}
      data-danger={danger || undefined}
      leftSection={section}
      aria-label={label}
    >
      {label}
    </Button>
  )
}

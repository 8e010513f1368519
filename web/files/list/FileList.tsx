import { useElementScrollRestoration } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import type { File, FileRow } from '#contract/files.ts'
import { printedTableRenderer } from '#web/lib/printing.ts'
import { useStore } from '#web/lib/store.ts'
import { getNextSort, type ChangeSettings, type ListQuery, type ListSettings } from '#web/records/address/listSettings.ts'
import type { PagedList } from '#web/records/list/useRecordList.ts'
import type { Cursor } from '#web/ui/cursor.ts'
import type { Selection } from '#web/ui/selection.ts'
import { TableSkeleton } from '#web/ui/TableSkeleton.tsx'
import { VirtualGrid } from '#web/ui/VirtualGrid.tsx'
import { VirtualTable } from '#web/ui/VirtualTable.tsx'
import { fileKind } from '../kind/fileKind.ts'
import { getFileColumns } from './fileColumns.tsx'
import { FileTile, tileSize } from './FileTile.tsx'

export type ListedFiles = {
  list: PagedList<FileRow>
  settings: ListSettings
  changeSettings: ChangeSettings
  query: ListQuery
  /** True when the user cannot sort the list. */
  isOrderFixed: boolean
  /** True when the list shows the folder of each file, because the files are in several folders. */
  isFolderColumnShown: boolean
  /** The id of the folder that a search is limited to. The path of a file is shown from that folder on. */
  searchedFolderId: string | undefined
}

type FileListProps = ListedFiles & {
  /** Shown above the files. It scrolls with them. */
  above: ReactNode
  /** Returns true for a file that is shown in pale colours, because it is being dragged. */
  isFaded: (file: File) => boolean
  isPhone: boolean
  layout: 'list' | 'grid'
  /** The selection and the cursor of the files. */
  selection: Selection
  cursor: Cursor
  /** Identifies the page for the scroll position. */
  scrollName: string
  onOpen: (file: File) => void
  onAction: (action: string, file: File, button: HTMLElement) => void
  /** Called with the number of columns of the grid. */
  onColumns: (columns: number) => void
}

/** The files of a folder, as a list or as a grid with thumbnails; on paper always as a list. */
export function FileList(props: FileListProps) {
  const renderPrintedTable = useStore(printedTableRenderer)
  const { rows, total } = props.list
  return (
    <>
      <FilesOnScreen {...props} />
      {renderPrintedTable?.({ label: 'Files', columns: getFileColumns({ ...props, isPhone: false }), rows, total })}
    </>
  )
}

function FilesOnScreen({ list, settings, changeSettings, query, isPhone, layout, onColumns, ...props }: FileListProps) {
  const { isFolderColumnShown, isOrderFixed, searchedFolderId } = props
  const { rows, total, isLoading, hasRowsOfPreviousQuery, loadNextPage, setVisibleRows } = list
  const columns = useMemo(
    () => getFileColumns({ isPhone, isFolderColumnShown, isOrderFixed, searchedFolderId }),
    [isPhone, isFolderColumnShown, isOrderFixed, searchedFolderId],
  )
  const initialScroll = useElementScrollRestoration({ id: props.scrollName })?.scrollY ?? 0
  const shared = {
    ...props,
    label: 'Files',
    total,
    canSelectByTap: isPhone,
    initialScroll,
    queryText: JSON.stringify(query),
    isBusy: isLoading || hasRowsOfPreviousQuery,
    onNearEnd: loadNextPage,
  }
  if (layout === 'grid')
    return (
      <VirtualGrid
        {...shared}
        items={rows}
        minTileWidth={isPhone ? tileSize.minPhoneWidth : tileSize.minWidth}
        tileHeight={tileSize.height}
        onVisibleItems={setVisibleRows}
        onColumns={onColumns}
        renderTile={(file, tile) => <FileTile file={file} {...tile} />}
      />
    )
  // the heights in px are those of the rows in VirtualTable.module.css and FolderContent.module.css
  const hasTwoLines = isPhone || settings.search !== ''
  return (
    <VirtualTable
      {...shared}
      columns={columns}
      rows={rows}
      rowName={({ file_name }) => file_name}
      canSelectByCtrlClick
      rowHeight={hasTwoLines ? 60 : 40}
      headHeight={isPhone ? 0 : 34}
      sortState={{ column: settings.sort, order: settings.order }}
      onSort={(column) => changeSettings(getNextSort(fileKind, settings, column))}
      footer={isLoading && <TableSkeleton columns={columns} count={rows.length === 0 ? 20 : 3} />}
      onVisibleRows={setVisibleRows}
    />
  )
}

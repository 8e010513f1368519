import { useInfiniteQuery } from '@tanstack/react-query'
import { useElementScrollRestoration } from '@tanstack/react-router'
import type { File } from '#contract/files.ts'
import { getNextSort, type ChangeSettings, type ListQuery, type ListSettings } from '#web/records/address/listSettings.ts'
import type { PagedList } from '#web/records/list/useRecordList.ts'
import { useWindowWidth } from '#web/records/list/columns.ts'
import { useCursor } from '#web/ui/cursor.ts'
import { useSelection } from '#web/ui/selection.ts'
import { TableSkeleton } from '#web/ui/TableSkeleton.tsx'
import { VirtualTable } from '#web/ui/VirtualTable.tsx'
import { fileKind } from '../kind/fileKind.ts'
import { foldersQuery } from '../kind/queries.ts'
import { useOpenPreview } from '../preview/useFileNeighbours.ts'
import { fileColumns, phoneColumns } from './fileColumns.tsx'
import { FolderGrid } from './FolderGrid.tsx'

type FolderContentProps = {
  folderId: string | null
  list: PagedList<File>
  settings: ListSettings
  changeSettings: ChangeSettings
  query: ListQuery
}

/** The folders and files in a folder, or the files that a search finds. */
export function FolderContent({ folderId, list, settings, changeSettings, query }: FolderContentProps) {
  const { rows, total, isLoading, hasPreviousRows, loadNextPage, setVisibleRows } = list
  const isSearch = settings.search !== ''
  const folders = useInfiniteQuery({ ...foldersQuery(folderId), enabled: !isSearch })
  const isPhone = useWindowWidth() === 'phone'
  const columns = isPhone ? phoneColumns : fileColumns
  const selection = useSelection(rows, JSON.stringify(query))
  const cursor = useCursor(rows)
  const openPreview = useOpenPreview()
  const scrollName = `files ${folderId ?? ''}`
  const initialScroll = useElementScrollRestoration({ id: scrollName })?.scrollY ?? 0
  return (
    <VirtualTable
      label="Files"
      above={!isSearch && <FolderGrid folders={folders.data?.pages.flatMap((page) => page.rows) ?? []} />}
      columns={columns}
      rows={rows}
      total={total}
      rowName={({ file_name }) => file_name}
      canSelectByTap={isPhone}
      rowHeight={isPhone ? 60 : 40}
      headHeight={isPhone ? 0 : 34}
      selection={selection}
      cursor={cursor}
      sortState={{ column: settings.sort, order: settings.order }}
      onSort={(column) => changeSettings(getNextSort(fileKind, settings, column))}
      onOpen={({ id }) => openPreview(id, query)}
      onAction={() => {}}
      initialScroll={initialScroll}
      scrollName={scrollName}
      listName={JSON.stringify(query)}
      footer={isLoading && <TableSkeleton columns={columns} count={rows.length === 0 ? 20 : 3} />}
      isBusy={isLoading || hasPreviousRows}
      onNearEnd={loadNextPage}
      onVisibleRows={setVisibleRows}
    />
  )
}

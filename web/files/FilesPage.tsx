import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { describeError } from '#web/lib/toasts.ts'
import { useListSettings } from '#web/records/address/listSettings.ts'
import { hasNoRecord, MissingPage } from '#web/records/kind/MissingPage.tsx'
import { ListSortMenu } from '#web/records/list/ListSortMenu.tsx'
import listClasses from '#web/records/list/ListTools.module.css'
import { useRecordList } from '#web/records/list/useRecordList.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { getBreadcrumb } from './Breadcrumb.tsx'
import classes from './FilesPage.module.css'
import { fileKind } from './kind/fileKind.ts'
import { folderPathQuery, inFolder } from './kind/queries.ts'
import { FolderContent } from './list/FolderContent.tsx'

const folderRoute = getRouteApi('/signed-in/files/folder/$folderId')

/** The page of the root folder. */
export const RootFolderPage = () => <FilesPage folderId={null} />

/** The page of a folder. */
export function FolderPage() {
  const { folderId } = folderRoute.useParams()
  const path = useQuery(folderPathQuery(folderId))
  if (hasNoRecord(path.error)) return <MissingPage kind={{ singular: 'folder', plural: 'files', path: '/files' }} />
  return <FilesPage key={folderId} folderId={folderId} path={path.data?.rows} />
}

/** The page of a folder; of the root folder with the id null. `path` are the folders from the root folder to this one. */
function FilesPage({ folderId, path = [] }: { folderId: string | null; path?: { id: string; name: string }[] | undefined }) {
  const { settings, changeSettings } = useListSettings(fileKind)
  const { columns: _columns, ...userQuery } = settings
  const query = { ...userQuery, filter: settings.search === '' ? inFolder(folderId) : [] }
  const list = useRecordList(fileKind, query)
  const title = folderId === null ? 'Files' : (path.at(-1)?.name ?? '')
  return (
    <div className={classes['page']}>
      <PageBar title={title} count={list.count} isTitleLarge {...(folderId !== null && { breadcrumb: getBreadcrumb(path.slice(0, -1)) })} />
      <div className={listClasses['tools']}>
        <div className={listClasses['left']}>
          <SearchField
            label="Search files and what is in them"
            value={settings.search}
            onSearch={(search) => changeSettings({ search })}
            shortcut="/"
          />
        </div>
        <div className={listClasses['right']}>
          <ListSortMenu kind={fileKind} settings={settings} changeSettings={changeSettings} />
        </div>
      </div>
      {list.failure ? (
        <FailedState title="Error fetching files" reason={describeError(list.failure)} onRetry={list.retry} isRetrying={list.isRetrying} />
      ) : (
        <FolderContent folderId={folderId} list={list} settings={settings} changeSettings={changeSettings} query={query} />
      )}
    </div>
  )
}

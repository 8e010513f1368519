import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconFolderPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState, type ReactNode } from 'react'
import { isNotFound } from '#web/lib/client.ts'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { useActions } from '#web/lib/actions.ts'
import { describeError } from '#web/lib/toasts.ts'
import { useRecentRecord } from '#web/lib/recentRecords.ts'
import { MissingPage } from '#web/records/kind/MissingPage.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { getBreadcrumb } from './Breadcrumb.tsx'
import { EmptyFolder, NoFileFound, NoFiles, NoRecentFiles } from './EmptyFiles.tsx'
import classes from './FilesPage.module.css'
import { FilesTabs } from './FilesTabs.tsx'
import { FilesTools } from './FilesTools.tsx'
import { useLayoutChoice } from './kind/layoutChoice.ts'
import { folderPathQuery, useKnownFolderName } from './kind/queries.ts'
import { FolderContent } from './list/FolderContent.tsx'
import { chooseFiles } from './upload/chooseFiles.ts'
import { UploadArea } from './upload/UploadArea.tsx'
import { UploadButton } from './upload/UploadButton.tsx'
import { uploadFiles } from './upload/uploadFiles.ts'
import { useDropTarget } from './upload/useDropTarget.ts'
import { usePasteFiles } from './upload/usePasteFiles.ts'
import { useFilesView, type FilesPlace, type FilesView } from './useFilesView.ts'

const NewFolderDialog = lazyPart(() => import('./actions/NewFolderDialog.tsx').then((module) => module.NewFolderDialog))

const folderRoute = getRouteApi('/signed-in/files/folder/$folderId')

/** The page of the root folder. */
export const RootFolderPage = () => <FilesPage place={{ view: 'folder', folderId: null }} title="Files" tabs={<FilesTabs />} />

/** The page of the newest files of all folders. */
export const RecentFilesPage = () => <FilesPage place={{ view: 'recent' }} title="Files" tabs={<FilesTabs />} />

/** The page of a folder. */
export function FolderPage() {
  const { folderId } = folderRoute.useParams()
  const isPhone = useIsPhone()
  const path = useQuery(folderPathQuery(folderId))
  const folders = path.data?.rows ?? []
  const knownName = useKnownFolderName(folderId)
  const name = folders.at(-1)?.name
  // the detail is the name of the parent folder
  useRecentRecord('folder', name === undefined ? undefined : { id: folderId, title: name, detail: folders.at(-2)?.name ?? '' })
  if (isNotFound(path.error)) return <MissingPage kind={{ singular: 'folder', plural: 'files', path: '/files' }} />
  return (
    <FilesPage
      key={folderId}
      place={{ view: 'folder', folderId }}
      title={name ?? knownName ?? 'Folder'}
      breadcrumb={getBreadcrumb(folders.slice(0, -1), { isPhone })}
    />
  )
}

// `getInitialValueInEffect: false` reads the width for the first render already
const useIsPhone = (): boolean => useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })

type FilesPageProps = { place: FilesPlace; title: string; breadcrumb?: ReactNode[]; tabs?: ReactNode }

function FilesPage({ place, title, breadcrumb, tabs }: FilesPageProps) {
  const view = useFilesView(place)
  const [layout, setLayout] = useLayoutChoice()
  const [isNewFolderOpen, setNewFolderOpen] = useState(false)
  /** The id of a folder or file that was just created or renamed. The list scrolls to it and focuses it. */
  const [revealedId, setRevealedId] = useState<string>()
  const closeNewFolder = () => setNewFolderOpen(false)
  const searchField = useRef<HTMLInputElement>(null)
  const newFolderButton = useRef<HTMLButtonElement>(null)
  const isPhone = useIsPhone()
  const folderId = place.view === 'folder' ? place.folderId : null
  const uploadPlace = { folder_id: folderId, contact_id: null }
  const { isOver, handlers } = useDropTarget(uploadPlace, title)
  usePasteFiles(uploadPlace)
  useActions([
    { keys: 'n', label: 'New folder', icon: IconFolderPlus, run: () => setNewFolderOpen(true) },
    { keys: 'u', label: 'Upload files', run: () => chooseFiles((added) => uploadFiles(uploadPlace, added)) },
    { keys: '/', label: 'Search files', run: () => focusAndSelect(searchField.current) },
  ])
  const newFolder = (
    <Tooltip label="New folder (N)">
      <Button
        ref={newFolderButton}
        variant="default"
        className={classes['newFolder'] ?? ''}
        leftSection={<IconFolderPlus size={16} stroke={1.75} />}
        aria-keyshortcuts="n"
        aria-label="New folder"
        onClick={() => setNewFolderOpen(true)}
      >
        New folder
      </Button>
    </Tooltip>
  )
  const isRootEmpty = view.isEmpty && !view.isSearch && place.view === 'folder' && place.folderId === null
  return (
    <div className={classes['page']} {...handlers}>
      <PageBar
        title={title}
        count={view.count}
        isTitleLarge={breadcrumb !== undefined}
        {...(breadcrumb && { breadcrumb })}
        actions={
          !isRootEmpty && (
            <>
              {newFolder}
              <UploadButton place={uploadPlace} isIcon={isPhone} />
            </>
          )
        }
      />
      {tabs}
      <FilesTools
        {...view}
        scope={folderId === null ? undefined : view.scope}
        onScope={view.changeScope}
        hasSort={!view.isEmpty && !view.isOrderFixed}
        hasLayouts={!view.isEmpty && !view.isSearch}
        layout={layout}
        onLayout={setLayout}
        searchFieldRef={searchField}
      />
      <div className={classes['content']} data-over={isOver || undefined}>
        {view.list.failure ? (
          <FailedState
            title="Error fetching files"
            reason={describeError(view.list.failure)}
            onRetry={view.list.retry}
            isRetrying={view.list.isRetrying}
          />
        ) : (
          <FolderContent
            view={view}
            layout={view.isSearch ? 'list' : layout}
            isPhone={isPhone}
            scrollName={place.view === 'folder' ? `files ${place.folderId ?? ''}` : 'recent files'}
            revealedId={isNewFolderOpen ? undefined : revealedId} // the focus stays in the dialog
            onReveal={setRevealedId}
            uploadArea={<UploadArea place={uploadPlace} name={title} />}
            empty={
              isRootEmpty ? (
                <NoFiles
                  actions={
                    <>
                      <UploadButton place={uploadPlace} />
                      {newFolder}
                    </>
                  }
                />
              ) : (
                <Empty view={view} place={place} />
              )
            }
          />
        )}
      </div>
      {isNewFolderOpen && (
        <NewFolderDialog
          parentId={folderId}
          opener={newFolderButton}
          onCreated={({ id }) => setRevealedId(id)}
          onLoadCancelled={closeNewFolder}
          onClose={closeNewFolder}
        />
      )}
    </div>
  )
}

function focusAndSelect(field: HTMLInputElement | null): void {
  field?.focus() // `select` alone does not focus the field in every browser
  field?.select()
}

function Empty({ view, place }: { view: FilesView; place: FilesPlace }) {
  const { settings, scope, changeSettings, changeScope, isSearch } = view
  if (isSearch)
    return (
      <NoFileFound
        search={settings.search}
        isInFolder={scope === 'folder'}
        onClear={() => changeSettings({ search: '' })}
        onSearchAll={() => changeScope('all')}
      />
    )
  return place.view === 'recent' ? <NoRecentFiles /> : <EmptyFolder />
}

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { File } from '#contract/files.ts'
import { isNotFound } from '#web/lib/client.ts'
import { useActions } from '#web/lib/actions.ts'
import { describeError } from '#web/lib/toasts.ts'
import { useRecentRecord } from '#web/lib/recentRecords.ts'
import { MissingPage } from '#web/records/kind/MissingPage.tsx'
import { recordQuery } from '#web/records/kind/queries.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { fileKind } from '../kind/fileKind.ts'
import { FileView } from './FileView.tsx'
import { Loading } from './Loading.tsx'
import { PreviewBar } from './PreviewBar.tsx'
import { PreviewPanel } from './PreviewPanel.tsx'
import classes from './Preview.module.css'
import { previewLink } from './previewLink.ts'
import { useForgetList } from './useFileNeighbours.ts'
import type { Jump } from './viewProps.ts'
import { useClose, useFocusFileInList, usePlace } from './usePlace.ts'

const route = getRouteApi('/signed-in/files/file/$fileId')

/** The page of a file, which shows its content. */
export function FilePage() {
  const { fileId } = route.useParams()
  const { data: file, error, refetch, isFetching } = useQuery(recordQuery(fileKind, fileId))
  const place = usePlace(file)
  const close = useClose(place)
  useRecentRecord('file', file && { id: fileId, title: file.file_name, detail: '' })
  useFocusFileInList(fileId)
  useForgetList()
  useActions([{ keys: 'Escape', label: 'Close file', run: close }])
  if (isNotFound(error)) return <MissingPage kind={{ ...fileKind, path: '/files' }} />
  return (
    <>
      <PreviewBar file={file} place={place} onClose={close} />
      {file && <FileContent key={fileId} file={file} />}
      {!file && error && (
        <FailedState title="Error fetching files" reason={describeError(error)} onRetry={() => void refetch()} isRetrying={isFetching} />
      )}
      {!file && !error && <Loading />}
    </>
  )
}

/** The content of a file, with the panel beside it. */
function FileContent({ file }: { file: File }) {
  const { find = '' } = route.useSearch()
  const navigate = useNavigate()
  /** The place in the text to which the view scrolls. `serialNumber` counts the jumps, so that the same place can be shown again. */
  const [jump, setJump] = useState<Jump>()
  return (
    <div className={classes['split']}>
      <FileView file={file} search={find} jump={jump} />
      <PreviewPanel
        file={file}
        search={find}
        onSearch={(text) => void navigate({ ...previewLink(file.id, text), replace: true })}
        onJump={({ page, match, matchInFile }) =>
          setJump((previous) => ({ serialNumber: (previous?.serialNumber ?? 0) + 1, page, match, matchInFile }))
        }
      />
    </div>
  )
}

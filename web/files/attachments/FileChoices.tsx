import { Button } from '@mantine/core'
import type { FileRow } from '#contract/files.ts'
import type { Condition } from '#contract/lists.ts'
import { formatFileSize } from '#web/lib/format.ts'
import { describeError } from '#web/lib/toasts.ts'
import { usePagedList } from '#web/records/list/useRecordList.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { FileIcon } from '../kind/FileIcon.tsx'
import { fileKind } from '../kind/fileKind.ts'
import { FileName } from '../kind/FileName.tsx'
import { PathText } from '../kind/PathText.tsx'
import classes from './AttachDialog.module.css'

type FileChoicesProps = {
  search: string
  /** Shows only files that match. */
  filter: readonly Condition[]
  selected: ReadonlyMap<string, FileRow>
  onToggle: (file: FileRow) => void
}

/** Files with checkboxes, the newest first. */
export function FileChoices({ search, filter, selected, onToggle }: FileChoicesProps) {
  const { rows, failure, nextPageError, isEmpty, isLoading, isRetrying, hasNextPage, retry, loadNextPage } = usePagedList(fileKind, {
    search,
    filter,
    ...fileKind.defaultSort,
  })
  return (
    <div className={classes['files']}>
      {failure && <FailedState title="Error fetching files" reason={describeError(failure)} onRetry={retry} isRetrying={isRetrying} />}
      {isEmpty && <p className={classes['remark']}>{search === '' ? 'There are no files in Files yet.' : `No file has “${search}”.`}</p>}
      {isLoading && rows.length === 0 && <ListSkeleton rows={4} columns={[60, 60]} />}
      <ul className={classes['list']} aria-label="Files">
        {rows.map((file) => (
          <li key={file.id}>
            <label className={classes['choice']}>
              <input
                type="checkbox"
                aria-label={file.file_name}
                aria-describedby={`place-${file.id}`}
                checked={selected.has(file.id)}
                onChange={() => onToggle(file)}
              />
              <FileIcon fileType={file.file_type} />
              <span className={classes['name']}>
                <FileName name={file.file_name} />
                <small id={`place-${file.id}`}>
                  <PathText path={file.path ?? []} isCut={file.is_path_cut} searchedFolderId={undefined} prefix="in " />
                </small>
              </span>
              <small className={classes['facts']}>
                {formatFileSize(file.file_size)}, <RelativeTime at={file.created_at} />
              </small>
            </label>
          </li>
        ))}
      </ul>
      {nextPageError && <p role="alert">Older files could not be loaded. {describeError(nextPageError)}</p>}
      {hasNextPage && rows.length > 0 && (
        <Button variant="subtle" size="compact-sm" loading={isLoading} onClick={nextPageError ? retry : loadNextPage}>
          {nextPageError ? 'Try again' : 'Load more'}
        </Button>
      )}
    </div>
  )
}

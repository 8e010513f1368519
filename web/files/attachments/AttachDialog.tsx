import '#web/ui/dialogs.css'
import { Button, Modal } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { FileRow } from '#contract/files.ts'
import { formatCount, formatFileSize } from '#web/lib/format.ts'
import { describeError } from '#web/lib/toasts.ts'
import { usePagedList } from '#web/records/list/useRecordList.ts'
import formClasses from '#web/ui/DialogForm.module.css'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { useMoveEntries } from '../actions/useMoveEntries.ts'
import { toFileEntry } from '../kind/entries.ts'
import { FileIcon } from '../kind/FileIcon.tsx'
import { fileKind } from '../kind/fileKind.ts'
import { FileName } from '../kind/FileName.tsx'
import { PathText } from '../kind/PathText.tsx'
import classes from './AttachDialog.module.css'

type AttachDialogProps = { contactId: string; contactName: string; onClose: () => void }

/** A dialog in which the user selects files of all folders. They are moved to a contact as its attachments. */
export function AttachDialog({ contactId, contactName, onClose }: AttachDialogProps) {
  const [search, setSearch] = useState('')
  const [selected, setSelected] = useState<ReadonlyMap<string, FileRow>>(new Map())
  const move = useMoveEntries()
  useReturnFocus()
  const toggle = (file: FileRow): void => {
    const next = new Map(selected)
    const wasSelected = next.delete(file.id)
    if (!wasSelected) next.set(file.id, file)
    setSelected(next)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (selected.size === 0) return
    const entries = [...selected.values()].map((file) => toFileEntry(file))
    move.mutate({ selected: { entries }, target: { contactId, name: contactName } }, { onSuccess: onClose })
  }
  return (
    <Modal opened onClose={onClose} title={`Attach files to ${contactName}`} size={480}>
      <div className={classes['search']}>
        <SearchField label="Search files" value={search} onSearch={setSearch} hasInitialFocus />
      </div>
      <form className={formClasses['form']} onSubmit={submit}>
        <FileChoices search={search.trim()} selected={selected} onToggle={toggle} />
        <p className={classes['remark']}>A file moves from its folder to the contact.</p>
        {move.error && (
          <p className={formClasses['error']} role="alert">
            {describeError(move.error)}
          </p>
        )}
        <div className={formClasses['actions']}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={move.isPending} disabled={selected.size === 0}>
            {selected.size === 0 ? 'Attach' : `Attach ${formatCount(selected.size, 'file')}`}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

type FileChoicesProps = { search: string; selected: ReadonlyMap<string, FileRow>; onToggle: (file: FileRow) => void }

/** The files that are not attached to a contact, with checkboxes; the newest first. */
function FileChoices({ search, selected, onToggle }: FileChoicesProps) {
  const filter = [{ field: 'contact_id', empty: true } as const]
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
      {hasNextPage && rows.length > 0 && (
        <Button variant="subtle" size="compact-sm" loading={isLoading} onClick={nextPageError ? retry : loadNextPage}>
          {nextPageError ? 'Try again' : 'Load more'}
        </Button>
      )}
    </div>
  )
}

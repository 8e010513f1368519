import '#web/ui/dialogs.css'
import { Button, Modal } from '@mantine/core'
import { IconFolderPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { describeError } from '#web/lib/toasts.ts'
import formClasses from '#web/ui/DialogForm.module.css'
import { SearchField } from '#web/ui/SearchField.tsx'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { NewFolderDialog } from '../actions/NewFolderDialog.tsx'
import type { MoveTarget } from '../actions/useMoveEntries.ts'
import { folderPathQuery } from '../kind/queries.ts'
import classes from './FolderDialog.module.css'
import { FolderResults } from './FolderResults.tsx'
import { FolderTree } from './FolderTree.tsx'

const rootFolder: MoveTarget = { id: null, name: 'Files' }

type FolderDialogProps = {
  title: string
  /** What the button does, as the first word of its label. */
  verb: 'Move' | 'Save'
  /** The root folder is chosen at first. */
  startsAtRoot?: boolean
  /** The id of the folder in which all entries are now; null for the root folder, undefined if they are in several folders or in none. */
  currentId?: string | null | undefined
  /** The ids of the folders that the user is moving. Nothing can be moved into them. */
  movedIds?: ReadonlySet<string>
  /** The folders that are expanded at first, in addition to the root folder. Undefined while they are loading. */
  openIds: readonly string[] | undefined
  isPending: boolean
  error: unknown
  onSubmit: (target: MoveTarget) => void
  onClose: () => void
}

const noIds: ReadonlySet<string> = new Set()

/** Asks for a folder. The user finds the folder in a tree or by a search, or creates it. */
export function FolderDialog({
  title,
  verb,
  startsAtRoot = false,
  currentId,
  movedIds = noIds,
  openIds,
  isPending,
  error,
  onSubmit,
  onClose,
}: FolderDialogProps) {
  const [search, setSearch] = useState('')
  const [target, setTarget] = useState<MoveTarget | undefined>(startsAtRoot ? rootFolder : undefined)
  const [isNewFolderOpen, setNewFolderOpen] = useState(false)
  const newFolderButton = useRef<HTMLButtonElement>(null)
  /** The id of the folder in which the user has created a folder. The tree shows it and the folders above it expanded. */
  const [createdIn, setCreatedIn] = useState<string | null>(null)
  const createdPath = useQuery({ ...folderPathQuery(createdIn ?? ''), enabled: createdIn !== null, placeholderData: keepPreviousData })
  const createdPathIds = createdPath.data?.rows.map(({ id }) => id) ?? []
  useReturnFocus()
  const canSubmit = target !== undefined && target.id !== currentId
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (canSubmit && !isPending) onSubmit(target)
  }
  const treeProps = { target, onTarget: setTarget, movedIds }
  return (
    <>
      <Modal opened onClose={onClose} title={title} size={480} closeOnEscape={!isNewFolderOpen} closeOnClickOutside={!isNewFolderOpen}>
        <div className={classes['search']}>
          <SearchField label="Search folders" value={search} onSearch={setSearch} hasInitialFocus />
        </div>
        <form className={formClasses['form']} onSubmit={submit} noValidate>
          <div className={classes['folders']}>
            {search.trim() !== '' && <FolderResults {...treeProps} search={search.trim()} />}
            {search.trim() === '' && openIds && (
              <FolderTree
                {...treeProps}
                root={rootFolder}
                openIds={[...openIds, ...createdPathIds, ...(createdIn === null ? [] : [createdIn])]}
              />
            )}
          </div>
          {error != null && (
            <p className={formClasses['error']} role="alert">
              {describeError(error)}
            </p>
          )}
          <div className={formClasses['actions']}>
            <Button
              ref={newFolderButton}
              variant="subtle"
              className={classes['newFolder'] ?? ''}
              leftSection={<IconFolderPlus size={16} stroke={1.75} />}
              onClick={() => setNewFolderOpen(true)}
            >
              New folder
            </Button>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending} disabled={!canSubmit} className={classes['submit'] ?? ''}>
              {target ? `${verb} to ${target.name}` : verb}
            </Button>
          </div>
        </form>
      </Modal>
      {isNewFolderOpen && (
        <NewFolderDialog
          parentId={target?.id ?? null}
          opener={newFolderButton}
          onCreated={(folder) => {
            setSearch('')
            setCreatedIn(target?.id ?? null)
            setTarget(folder)
          }}
          onClose={() => setNewFolderOpen(false)}
        />
      )}
    </>
  )
}

import '#web/ui/dialogs.css'
import { Button, Modal } from '@mantine/core'
import { IconFolderPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { describeError } from '#web/lib/toasts.ts'
import formClasses from '#web/ui/DialogForm.module.css'
import { SearchField } from '#web/ui/SearchField.tsx'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { describeEntries } from '../actions/describeEntries.ts'
import { NewFolderDialog } from '../actions/NewFolderDialog.tsx'
import { useMoveEntries, type MoveTarget } from '../actions/useMoveEntries.ts'
import { getParentId, splitByKind, type Entry } from '../kind/entries.ts'
import { folderPathQuery } from '../kind/queries.ts'
import type { Selected } from '../kind/selected.ts'
import { FolderResults } from './FolderResults.tsx'
import { FolderTree } from './FolderTree.tsx'
import classes from './MoveDialog.module.css'

const rootFolder: MoveTarget = { id: null, name: 'Files' }

/** Asks for a folder and moves folders and files into it. The user finds the folder in a tree or by a search, or creates it. */
export function MoveDialog({ selected, onClose, onMoved }: { selected: Selected; onClose: () => void; onMoved: () => void }) {
  const { entries } = selected
  const [search, setSearch] = useState('')
  const [target, setTarget] = useState<MoveTarget>()
  const [isNewFolderOpen, setNewFolderOpen] = useState(false)
  const newFolderButton = useRef<HTMLButtonElement>(null)
  const { folderIds } = splitByKind(entries)
  /** The id of the folder that contains all entries; null for the root folder, undefined if they are in several places. */
  const parentId = getCommonParentId(entries)
  const path = useQuery({ ...folderPathQuery(parentId ?? ''), enabled: typeof parentId === 'string' })
  /** The id of the folder in which the user has created a folder. The tree shows it expanded. */
  const [createdIn, setCreatedIn] = useState<string | null>(null)
  const move = useMoveEntries()
  useReturnFocus()
  const isPathReady = typeof parentId !== 'string' || !path.isPending
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!target || target.id === parentId) return
    move.mutate(
      { selected, target },
      {
        onSuccess: () => {
          onMoved()
          onClose()
        },
      },
    )
  }
  const openIds = [...(path.data?.rows.map(({ id }) => id) ?? []), ...(createdIn === null ? [] : [createdIn])]
  const treeProps = { target, onTarget: setTarget, movedIds: new Set(folderIds) }
  return (
    <>
      <Modal
        opened
        onClose={onClose}
        title={`Move ${describeEntries(selected).toLowerCase()}`}
        size={480}
        closeOnEscape={!isNewFolderOpen}
        closeOnClickOutside={!isNewFolderOpen}
      >
        <div className={classes['search']}>
          <SearchField label="Search folders" value={search} onSearch={setSearch} hasInitialFocus />
        </div>
        <form className={formClasses['form']} onSubmit={submit} noValidate>
          <div className={classes['folders']}>
            {search.trim() !== '' && <FolderResults {...treeProps} search={search.trim()} />}
            {search.trim() === '' && isPathReady && <FolderTree {...treeProps} root={rootFolder} openIds={openIds} />}
          </div>
          {move.error && (
            <p className={formClasses['error']} role="alert">
              {describeError(move.error)}
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
            <Button type="submit" loading={move.isPending} disabled={!target || target.id === parentId} className={classes['submit'] ?? ''}>
              {target ? `Move to ${target.name}` : 'Move'}
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

/** Returns the id of the folder that contains all entries, which is null for the root folder; undefined if they are in several places. */
function getCommonParentId(entries: readonly Entry[]): string | null | undefined {
  const parentIds = new Set(entries.map(getParentId))
  return parentIds.size === 1 ? [...parentIds][0] : undefined
}

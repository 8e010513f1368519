import { useQuery } from '@tanstack/react-query'
import { describeEntries } from '../actions/describeEntries.ts'
import { useMoveEntries, type MoveTarget } from '../actions/useMoveEntries.ts'
import { getParentId, splitByKind, type Entry } from '../kind/entries.ts'
import { folderPathQuery } from '../kind/queries.ts'
import type { Selected } from '../kind/selected.ts'
import { FolderDialog } from './FolderDialog.tsx'

/** Asks for a folder and moves folders and files into it. */
export function MoveDialog({ selected, onClose, onMoved }: { selected: Selected; onClose: () => void; onMoved: () => void }) {
  const { entries } = selected
  const { folderIds } = splitByKind(entries)
  /** The id of the folder that contains all entries; null for the root folder, undefined if they are in several places. */
  const parentId = getCommonParentId(entries)
  const path = useQuery({ ...folderPathQuery(parentId ?? ''), enabled: typeof parentId === 'string' })
  const move = useMoveEntries()
  const isPathReady = typeof parentId !== 'string' || !path.isPending
  const moveTo = (target: MoveTarget): void =>
    move.mutate(
      { selected, target },
      {
        onSuccess: () => {
          onMoved()
          onClose()
        },
      },
    )
  return (
    <FolderDialog
      title={`Move ${describeEntries(selected).toLowerCase()}`}
      verb="Move"
      currentId={parentId}
      movedIds={new Set(folderIds)}
      openIds={isPathReady ? (path.data?.rows.map(({ id }) => id) ?? []) : undefined}
      isPending={move.isPending}
      error={move.error}
      onSubmit={moveTo}
      onClose={onClose}
    />
  )
}

/** Returns the id of the folder that contains all entries, which is null for the root folder; undefined if they are in several places. */
function getCommonParentId(entries: readonly Entry[]): string | null | undefined {
  const parentIds = new Set(entries.map(getParentId))
  return parentIds.size === 1 ? [...parentIds][0] : undefined
}

import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { formatEntryCounts } from '../actions/describeEntries.ts'
import { downloadEntries } from '../actions/download.ts'
import { renameFile, renameFolder } from '../actions/rename.ts'
import { useDeleteEntries } from '../actions/useDeleteEntries.ts'
import type { ListQuery } from '#web/records/address/listSettings.ts'
import { getEntryAddress, type Entry, type FileEntry } from '../kind/entries.ts'
import { countSelected, type Selected } from '../kind/selected.ts'
import { useOpenPreview } from '../preview/useFileNeighbours.ts'

const AnalysisDialog = lazyPart(() => import('../analysis/AnalysisDialog.tsx').then((module) => module.AnalysisDialog))
const MoveDialog = lazyPart(() => import('../move/MoveDialog.tsx').then((module) => module.MoveDialog))
const RenameDialog = lazyPart(() => import('../actions/RenameDialog.tsx').then((module) => module.RenameDialog))

/** What can be done with folders and files. */
export type EntryCommands = {
  open: (entry: Entry) => void
  rename: (entry: Entry) => void
  move: (selected: Selected) => void
  download: (selected: Selected) => void
  remove: (selected: Selected) => void
  analyze: (entry: FileEntry) => void
  /** What a long command is doing: "Deleting 12,345 files". Undefined if none is running. */
  progress: string | undefined
}

type OpenDialog = { name: 'rename'; entry: Entry } | { name: 'move'; selected: Selected } | { name: 'analysis'; entry: FileEntry }

/** `clearSelection` is called when the selected entries were moved, or everything in the list was deleted. */
type Listeners = { clearSelection: () => void; onRenamed: (entry: Entry) => void }

type EntryCommandsState = { commands: EntryCommands; dialog: ReactNode; isDialogOpen: boolean }

/**
 * Returns the commands for folders and files, and the dialog that a command has opened. `query` describes the list. While a file of the
 * list is open, J and K open the other files of the list.
 */
export function useEntryCommands(query: ListQuery, { clearSelection, onRenamed }: Listeners): EntryCommandsState {
  const [openDialog, setOpenDialog] = useState<OpenDialog>()
  const navigate = useNavigate()
  const openPreview = useOpenPreview()
  const deletion = useDeleteEntries()
  const download = useMutation({ mutationFn: downloadEntries })
  const close = () => setOpenDialog(undefined)
  const isDeletingEverything = deletion.isPending && deletion.variables.everything !== undefined
  const commands: EntryCommands = {
    open: (entry) => {
      if (entry.kind === 'file') openPreview(entry.file, query)
      else void navigate({ to: getEntryAddress(entry) })
    },
    rename: (entry) => setOpenDialog({ name: 'rename', entry }),
    move: (selected) => setOpenDialog({ name: 'move', selected }),
    download: (selected) => download.mutate(selected),
    remove: (selected) => {
      if (countSelected(selected) > 0 && !isDeletingEverything)
        deletion.mutate(selected, selected.everything ? { onSuccess: clearSelection } : {})
    },
    analyze: (entry) => setOpenDialog({ name: 'analysis', entry }),
    progress: describeProgress('Deleting', deletion) ?? describeProgress('Preparing the download of', download),
  }
  const dialog = (
    <>
      {openDialog?.name === 'rename' && <RenameEntry entry={openDialog.entry} onRenamed={onRenamed} onClose={close} />}
      {openDialog?.name === 'move' && (
        <MoveDialog selected={openDialog.selected} onMoved={clearSelection} onLoadCancelled={close} onClose={close} />
      )}
      {openDialog?.name === 'analysis' && <AnalysisDialog file={openDialog.entry.file} onLoadCancelled={close} onClose={close} />}
    </>
  )
  return { commands, dialog, isDialogOpen: openDialog !== undefined }
}

/** Describes a running command that takes long, because it applies to everything in a list. */
const describeProgress = (verb: string, { isPending, variables }: { isPending: boolean; variables: Selected | undefined }) =>
  isPending && variables?.everything ? `${verb} ${formatEntryCounts(variables)}` : undefined

type RenameEntryProps = { entry: Entry; onRenamed: (entry: Entry) => void; onClose: () => void }

function RenameEntry({ entry, onRenamed, onClose }: RenameEntryProps) {
  const submit = async (name: string, version: number | undefined): Promise<void> => {
    await (entry.kind === 'folder' ? renameFolder(entry.folder, name, version) : renameFile(entry.file, name, version))
    onRenamed(entry)
  }
  return <RenameDialog kind={entry.kind} name={entry.name} onSubmit={submit} onLoadCancelled={onClose} onClose={onClose} />
}

import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { downloadEntries } from '../actions/download.ts'
import { renameFile, renameFolder } from '../actions/rename.ts'
import { useDeleteEntries } from '../actions/useDeleteEntries.ts'
import type { ListQuery } from '#web/records/address/listSettings.ts'
import { getEntryAddress, type Entry } from '../kind/entries.ts'
import { useOpenPreview } from '../preview/useFileNeighbours.ts'

const MoveDialog = lazyPart(() => import('../move/MoveDialog.tsx').then((module) => module.MoveDialog))
const RenameDialog = lazyPart(() => import('../actions/RenameDialog.tsx').then((module) => module.RenameDialog))

/** What can be done with folders and files. */
export type EntryCommands = {
  open: (entry: Entry) => void
  rename: (entry: Entry) => void
  move: (entries: readonly Entry[]) => void
  download: (entries: readonly Entry[]) => void
  remove: (entries: readonly Entry[]) => void
}

type OpenDialog = { name: 'rename'; entry: Entry } | { name: 'move'; entries: readonly Entry[] }

type Listeners = { onMoved: () => void; onRenamed: (entry: Entry) => void }

/** Returns the commands for folders and files, and the dialog that a command has opened. `query` is the list in which a file is opened. */
export function useEntryCommands(query: ListQuery, { onMoved, onRenamed }: Listeners): { commands: EntryCommands; dialog: ReactNode } {
  const [openDialog, setOpenDialog] = useState<OpenDialog>()
  const navigate = useNavigate()
  const openPreview = useOpenPreview()
  const deletion = useDeleteEntries()
  const close = () => setOpenDialog(undefined)
  const commands: EntryCommands = {
    open: (entry) => {
      if (entry.kind === 'file') openPreview(entry.file, query)
      else void navigate({ to: getEntryAddress(entry) })
    },
    rename: (entry) => setOpenDialog({ name: 'rename', entry }),
    move: (entries) => setOpenDialog({ name: 'move', entries }),
    download: (entries) => void downloadEntries(entries),
    remove: (entries) => {
      if (entries.length > 0) deletion.mutate(entries)
    },
  }
  const dialog = (
    <>
      {openDialog?.name === 'rename' && <RenameEntry entry={openDialog.entry} onRenamed={onRenamed} onClose={close} />}
      {openDialog?.name === 'move' && <MoveDialog entries={openDialog.entries} onMoved={onMoved} onGiveUp={close} onClose={close} />}
    </>
  )
  return { commands, dialog }
}

type RenameEntryProps = { entry: Entry; onRenamed: (entry: Entry) => void; onClose: () => void }

function RenameEntry({ entry, onRenamed, onClose }: RenameEntryProps) {
  const submit = async (name: string, version: number | undefined): Promise<void> => {
    await (entry.kind === 'folder' ? renameFolder(entry.folder, name, version) : renameFile(entry.file, name, version))
    onRenamed(entry)
  }
  const field = entry.kind === 'folder' ? 'name' : 'file_name'
  return (
    <RenameDialog title={`Rename ${entry.kind}`} name={entry.name} field={field} onSubmit={submit} onGiveUp={onClose} onClose={onClose} />
  )
}

import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconDots, IconDownload, IconFolderSymlink, IconMessageCircle, IconPencil, IconSparkles, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { lazyPart } from '#web/lib/lazyPart.ts'
import type { File } from '#contract/files.ts'
import { useActions } from '#web/lib/actions.ts'
import { askAssistant } from '#web/lib/askAssistant.ts'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import { downloadFile } from '../actions/download.ts'
import { renameFile } from '../actions/rename.ts'
import { useDeleteEntries } from '../actions/useDeleteEntries.ts'
import { toFileEntry } from '../kind/entries.ts'

const AnalysisDialog = lazyPart(() => import('../analysis/AnalysisDialog.tsx').then((module) => module.AnalysisDialog))
const MoveDialog = lazyPart(() => import('../move/MoveDialog.tsx').then((module) => module.MoveDialog))
const RenameDialog = lazyPart(() => import('../actions/RenameDialog.tsx').then((module) => module.RenameDialog))

const iconProps = { size: 16, stroke: 1.75 }

type FileActionsProps = {
  file: File
  isPhone: boolean
  /** Called when the file is deleted. */
  onClose: () => void
}

/** The buttons, the menu and the shortcuts for the open file. On phones the menu has all of them. */
export function FileActions({ file, isPhone, onClose }: FileActionsProps) {
  const [openDialog, setOpenDialog] = useState<'rename' | 'move' | 'analysis'>()
  const closeDialog = () => setOpenDialog(undefined)
  // an attachment of a contact is in no folder, so moving it puts it into a folder of the Files screen
  const moveLabel = file.contact_id === null ? 'Move' : 'Move to Files'
  const deletion = useDeleteEntries()
  const download = () => void downloadFile(file)
  const rename = () => setOpenDialog('rename')
  const analyze = () => setOpenDialog('analysis')
  const move = () => setOpenDialog('move')
  const ask = () => askAssistant({ references: [{ kind: 'file', id: file.id, title: file.file_name }] })
  const remove = () => {
    deletion.mutate({ entries: [toFileEntry(file)] })
    onClose()
  }
  useActions([
    { keys: 'd', label: 'Download file', icon: IconDownload, run: download },
    { keys: 'a', label: 'Analyze file with AI', icon: IconSparkles, run: analyze },
    { label: 'Ask about this file', icon: IconMessageCircle, keywords: 'ai assistant question', run: ask },
    { keys: 'F2', label: 'Rename file', icon: IconPencil, run: rename },
    { keys: 'm', label: 'Move file', icon: IconFolderSymlink, run: move },
    { keys: 'Delete #', label: 'Delete file', icon: IconTrash, run: remove },
  ])
  return (
    <>
      {!isPhone && (
        <>
          <Tooltip label="Analyze with AI (A)">
            <ActionIcon aria-label="Analyze with AI" onClick={analyze}>
              <IconSparkles size={18} stroke={1.7} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Download (D)">
            <ActionIcon aria-label="Download" onClick={download}>
              <IconDownload size={18} stroke={1.7} />
            </ActionIcon>
          </Tooltip>
        </>
      )}
      <Menu position="bottom-end" width={210}>
        <Menu.Target>
          <ActionIcon aria-label="More actions">
            <IconDots size={18} stroke={1.7} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isPhone && (
            <>
              <Menu.Item leftSection={<IconSparkles {...iconProps} />} onClick={analyze}>
                Analyze with AI
              </Menu.Item>
              <Menu.Item leftSection={<IconDownload {...iconProps} />} onClick={download}>
                Download
              </Menu.Item>
            </>
          )}
          <Menu.Item leftSection={<IconMessageCircle {...iconProps} />} onClick={ask}>
            Ask about this file
          </Menu.Item>
          <Menu.Item leftSection={<IconPencil {...iconProps} />} rightSection={<Shortcut keys={['F2']} />} onClick={rename}>
            Rename
          </Menu.Item>
          <Menu.Item leftSection={<IconFolderSymlink {...iconProps} />} rightSection={<Shortcut keys={['M']} />} onClick={move}>
            {moveLabel}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item data-danger leftSection={<IconTrash {...iconProps} />} rightSection={<Shortcut keys={['Del']} />} onClick={remove}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {openDialog === 'rename' && (
        <RenameDialog
          kind="file"
          name={file.file_name}
          onSubmit={(name, version) => renameFile(file, name, version)}
          onLoadCancelled={closeDialog}
          onClose={closeDialog}
        />
      )}
      {openDialog === 'analysis' && <AnalysisDialog file={file} onLoadCancelled={closeDialog} onClose={closeDialog} />}
      {openDialog === 'move' && (
        <MoveDialog selected={{ entries: [toFileEntry(file)] }} onMoved={closeDialog} onLoadCancelled={closeDialog} onClose={closeDialog} />
      )}
    </>
  )
}

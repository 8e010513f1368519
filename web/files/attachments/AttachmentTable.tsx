import { Menu } from '@mantine/core'
import { IconCursorText, IconDots, IconDownload, IconEye, IconFolderSymlink, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { File } from '#contract/files.ts'
import { formatFileSize } from '#web/lib/format.ts'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { useDeleteRecords } from '#web/records/bulk/useDeleteRecords.ts'
import { useWindowWidth } from '#web/records/list/columns.ts'
import { ButtonMenu } from '#web/ui/ButtonMenu.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import rowButton from '#web/ui/RowButton.module.css'
import { downloadFile } from '../actions/download.ts'
import { renameFile } from '../actions/rename.ts'
import { toFileEntry } from '../kind/entries.ts'
import { FileIcon } from '../kind/FileIcon.tsx'
import { fileKind } from '../kind/fileKind.ts'
import { FileName } from '../kind/FileName.tsx'
import classes from './Attachments.module.css'

const MoveDialog = lazyPart(() => import('../move/MoveDialog.tsx').then((module) => module.MoveDialog))
const RenameDialog = lazyPart(() => import('../actions/RenameDialog.tsx').then((module) => module.RenameDialog))

const iconProps = { size: 16, stroke: 1.75, 'aria-hidden': true }

/** The files of a contact with the buttons that preview, download, rename, move and delete them. */
export function AttachmentTable({ files }: { files: readonly File[] }) {
  const isPhone = useWindowWidth() === 'phone'
  const body = useRef<HTMLTableSectionElement>(null)
  const deletion = useDeleteRecords(fileKind, 'Error deleting file')
  const [menu, setMenu] = useState<{ file: File; button: HTMLElement }>()
  const [fileToRename, setFileToRename] = useState<File>()
  const [fileToMove, setFileToMove] = useState<File>()
  /** Called when a file leaves the table. Focuses the next file, else the previous one, else the button of the upload area. */
  const focusNeighbour = ({ id }: File): void => {
    const index = files.findIndex((file) => file.id === id)
    const neighbour = files[index + 1] ?? files[index - 1]
    const tab = body.current?.closest('section')
    tab?.querySelector<HTMLElement>(neighbour ? `[data-file="${neighbour.id}"]` : 'button')?.focus()
  }
  const remove = (file: File): void => {
    focusNeighbour(file)
    deletion.mutate({ ids: [file.id] })
  }
  return (
    <>
      <table className={classes['table']} aria-label="Attachments">
        {!isPhone && <TableHead />}
        <tbody ref={body}>
          {files.map((file) => (
            <tr key={file.id}>
              <td>
                <NameCell file={file} hasFacts={isPhone} />
              </td>
              {!isPhone && (
                <>
                  <td>{formatType(file)}</td>
                  <td>{formatFileSize(file.file_size, 'Bytes')}</td>
                  <td>
                    <RelativeTime at={file.created_at} />
                  </td>
                </>
              )}
              <td>
                <RowButtons file={file} isPhone={isPhone} onDelete={() => remove(file)} onMenu={(button) => setMenu({ file, button })} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {menu && (
        <ButtonMenu button={menu.button} label={`More for ${menu.file.file_name}`} onClose={() => setMenu(undefined)}>
          <MenuItems
            file={menu.file}
            onRename={() => setFileToRename(menu.file)}
            onMove={() => setFileToMove(menu.file)}
            onDelete={() => remove(menu.file)}
          />
        </ButtonMenu>
      )}
      {fileToRename && (
        <RenameDialog
          kind="file"
          name={fileToRename.file_name}
          onSubmit={(name, version) => renameFile(fileToRename, name, version)}
          onLoadCancelled={() => setFileToRename(undefined)}
          onClose={() => setFileToRename(undefined)}
        />
      )}
      {fileToMove && (
        <MoveDialog
          selected={{ entries: [toFileEntry(fileToMove)] }}
          onMoved={() => focusNeighbour(fileToMove)}
          onLoadCancelled={() => setFileToMove(undefined)}
          onClose={() => setFileToMove(undefined)}
        />
      )}
    </>
  )
}

const TableHead = () => (
  <thead>
    <tr>
      <th scope="col">Name</th>
      <th scope="col">Type</th>
      <th scope="col">Size</th>
      <th scope="col">Uploaded</th>
      <th scope="col">
        <span>Actions</span>
      </th>
    </tr>
  </thead>
)

/** The icon and the name of a file. With `hasFacts`, a second line has the size and the age. */
const NameCell = ({ file: { id, file_name, file_type, file_size, created_at }, hasFacts }: { file: File; hasFacts: boolean }) => (
  <div className={classes['name']}>
    <FileIcon fileType={file_type} />
    <div>
      <Link to="/files/file/$fileId" params={{ fileId: id }} data-file={id} aria-label={file_name}>
        <FileName name={file_name} />
      </Link>
      {hasFacts && (
        <p>
          {formatFileSize(file_size, 'Bytes')}, <RelativeTime at={created_at} />
        </p>
      )}
    </div>
  </div>
)

/** Returns the extension in capital letters: "PDF". */
const formatType = ({ file_type }: File): string => (file_type === 'unknown' ? 'File' : file_type.toUpperCase())

type RowButtonsProps = { file: File; isPhone: boolean; onDelete: () => void; onMenu: (button: HTMLElement) => void }

/** The buttons at the end of a row. Phones have only the menu. */
const RowButtons = ({ file, isPhone, onDelete, onMenu }: RowButtonsProps) => (
  <div className={classes['buttons']}>
    {!isPhone && (
      <>
        <Link
          className={rowButton['button']}
          to="/files/file/$fileId"
          params={{ fileId: file.id }}
          aria-label={`Preview ${file.file_name}`}
          title="Preview"
          tabIndex={-1} // the name of the file is a link to the same page
        >
          <IconEye {...iconProps} />
        </Link>
        <button
          type="button"
          className={rowButton['button']}
          aria-label={`Download ${file.file_name}`}
          title="Download"
          onClick={() => void downloadFile(file)}
        >
          <IconDownload {...iconProps} />
        </button>
        <button type="button" className={rowButton['button']} aria-label={`Delete ${file.file_name}`} title="Delete" onClick={onDelete}>
          <IconTrash {...iconProps} />
        </button>
      </>
    )}
    <button
      type="button"
      className={rowButton['button']}
      aria-label={`More for ${file.file_name}`}
      aria-haspopup="menu"
      title="More"
      onClick={({ currentTarget }) => onMenu(currentTarget)}
    >
      <IconDots {...iconProps} />
    </button>
  </div>
)

type MenuItemsProps = { file: File; onRename: () => void; onMove: () => void; onDelete: () => void }

const MenuItems = ({ file, onRename, onMove, onDelete }: MenuItemsProps) => (
  <>
    <Menu.Item
      leftSection={<IconEye {...iconProps} />}
      renderRoot={(props) => <Link to="/files/file/$fileId" params={{ fileId: file.id }} {...props} />}
    >
      Preview
    </Menu.Item>
    <Menu.Item leftSection={<IconDownload {...iconProps} />} onClick={() => void downloadFile(file)}>
      Download
    </Menu.Item>
    <Menu.Item leftSection={<IconCursorText {...iconProps} />} onClick={onRename}>
      Rename
    </Menu.Item>
    <Menu.Item leftSection={<IconFolderSymlink {...iconProps} />} onClick={onMove}>
      Move to Files
    </Menu.Item>
    <Menu.Divider />
    <Menu.Item data-danger leftSection={<IconTrash {...iconProps} />} onClick={onDelete}>
      Delete
    </Menu.Item>
  </>
)

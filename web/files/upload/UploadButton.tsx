import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconFile, IconFolder, IconUpload } from '@tabler/icons-react'
import { chooseFiles } from './chooseFiles.ts'
import { uploadFiles } from './uploadFiles.ts'
import type { UploadPlace } from './uploadList.ts'

type UploadButtonProps = {
  place: UploadPlace
  /** True on phones: an icon of 44 px instead of a button with text. */
  isIcon?: boolean
}

/** The primary button of a folder page, with a menu to upload files or a folder. */
export function UploadButton({ place, isIcon = false }: UploadButtonProps) {
  const upload = uploadFiles.bind(undefined, place)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        {isIcon ? (
          <ActionIcon size={44} variant="filled" color="brand" aria-label="Upload">
            <IconUpload size={20} stroke={1.7} />
          </ActionIcon>
        ) : (
          <Button leftSection={<IconUpload size={16} stroke={1.75} />}>Upload</Button>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconFile size={16} stroke={1.6} />} onClick={() => chooseFiles(upload)}>
          Files
        </Menu.Item>
        <Menu.Item leftSection={<IconFolder size={16} stroke={1.6} />} onClick={() => chooseFiles(upload, { isFolder: true })}>
          Folder
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

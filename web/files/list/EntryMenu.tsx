import { Menu } from '@mantine/core'
import { IconCheckbox, IconDownload, IconEye, IconFolderOpen, IconFolderSymlink, IconPencil, IconTrash } from '@tabler/icons-react'
import { ButtonMenu } from '#web/ui/ButtonMenu.tsx'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import type { Entry } from '../kind/entries.ts'
import type { EntryCommands } from './useEntryCommands.tsx'

const iconProps = { size: 16, stroke: 1.75 }

type EntryMenuProps = {
  entry: Entry
  /** The button that opened the menu. */
  button: HTMLElement
  commands: EntryCommands
  onSelect: () => void
  onClose: () => void
}

/** The menu of a folder or a file. */
export function EntryMenu({ entry, button, commands, onSelect, onClose }: EntryMenuProps) {
  const isFolder = entry.kind === 'folder'
  return (
    <ButtonMenu button={button} label={`More for ${entry.name}`} onClose={onClose}>
      <Menu.Item
        leftSection={isFolder ? <IconFolderOpen {...iconProps} /> : <IconEye {...iconProps} />}
        rightSection={<Shortcut keys={['Enter']} />}
        onClick={() => commands.open(entry)}
      >
        {isFolder ? 'Open' : 'Preview'}
      </Menu.Item>
      <Menu.Item leftSection={<IconDownload {...iconProps} />} onClick={() => commands.download([entry])}>
        {isFolder ? 'Download as zip' : 'Download'}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconPencil {...iconProps} />}
        rightSection={<Shortcut keys={['F2']} />}
        onClick={() => commands.rename(entry)}
      >
        Rename
      </Menu.Item>
      <Menu.Item
        leftSection={<IconFolderSymlink {...iconProps} />}
        rightSection={<Shortcut keys={['M']} />}
        onClick={() => commands.move([entry])}
      >
        Move
      </Menu.Item>
      <Menu.Item leftSection={<IconCheckbox {...iconProps} />} rightSection={<Shortcut keys={['X']} />} onClick={onSelect}>
        Select
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        data-danger
        leftSection={<IconTrash {...iconProps} />}
        rightSection={<Shortcut keys={['Del']} />}
        onClick={() => commands.remove([entry])}
      >
        Delete
      </Menu.Item>
    </ButtonMenu>
  )
}

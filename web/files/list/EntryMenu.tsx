import { Menu } from '@mantine/core'
import { IconCheckbox, IconDownload, IconEye, IconFolderOpen, IconFolderSymlink, IconPencil, IconTrash } from '@tabler/icons-react'
import { ButtonMenu } from '#web/ui/ButtonMenu.tsx'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import { countEntries } from '../actions/describeEntries.ts'
import type { Entry } from '../kind/entries.ts'
import type { Selected } from '../kind/selected.ts'
import type { EntryCommands } from './useEntryCommands.tsx'

const iconProps = { size: 16, stroke: 1.75 }

export type OpenMenu = {
  /** The entry for which the menu is open, or all selected entries. */
  selected: Selected
  /** The menu button of the entry, also when the menu was opened by a click with the right mouse button. */
  button: HTMLElement
  /** The position of the pointer for a click with the right mouse button. */
  at?: { x: number; y: number }
}

type EntryMenuProps = OpenMenu & { commands: EntryCommands; onSelect: (entry: Entry) => void; onClose: () => void }

/** The menu of a folder or a file, or of the selected ones. */
export function EntryMenu({ selected, button, at, commands, onSelect, onClose }: EntryMenuProps) {
  const { entries, everything } = selected
  const only = entries.length === 1 && !everything ? entries[0] : undefined
  return (
    <ButtonMenu button={button} at={at} label={`More for ${only?.name ?? countEntries(selected)}`} onClose={onClose}>
      {only && (
        <Menu.Item
          leftSection={only.kind === 'folder' ? <IconFolderOpen {...iconProps} /> : <IconEye {...iconProps} />}
          rightSection={<Shortcut keys={['Enter']} />}
          onClick={() => commands.open(only)}
        >
          {only.kind === 'folder' ? 'Open' : 'Preview'}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconDownload {...iconProps} />} onClick={() => commands.download(selected)}>
        {only?.kind === 'file' ? 'Download' : 'Download as zip'}
      </Menu.Item>
      {only && (
        <Menu.Item
          leftSection={<IconPencil {...iconProps} />}
          rightSection={<Shortcut keys={['F2']} />}
          onClick={() => commands.rename(only)}
        >
          Rename
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<IconFolderSymlink {...iconProps} />}
        rightSection={<Shortcut keys={['M']} />}
        onClick={() => commands.move(selected)}
      >
        Move
      </Menu.Item>
      {only && (
        <Menu.Item leftSection={<IconCheckbox {...iconProps} />} rightSection={<Shortcut keys={['X']} />} onClick={() => onSelect(only)}>
          Select
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item
        data-danger
        leftSection={<IconTrash {...iconProps} />}
        rightSection={<Shortcut keys={['Del']} />}
        onClick={() => commands.remove(selected)}
      >
        Delete
      </Menu.Item>
    </ButtonMenu>
  )
}

import { Menu } from '@mantine/core'
import {
  IconCheckbox,
  IconDownload,
  IconEye,
  IconFolderOpen,
  IconFolderSymlink,
  IconPencil,
  IconSparkles,
  IconTrash,
} from '@tabler/icons-react'
import { ButtonMenu } from '#web/ui/ButtonMenu.tsx'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import { formatEntryCounts } from '../actions/describeEntries.ts'
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
  const onlyEntry = entries.length === 1 && !everything ? entries[0] : undefined
  return (
    <ButtonMenu button={button} at={at} label={`More for ${onlyEntry?.name ?? formatEntryCounts(selected)}`} onClose={onClose}>
      {onlyEntry && (
        <Menu.Item
          leftSection={onlyEntry.kind === 'folder' ? <IconFolderOpen {...iconProps} /> : <IconEye {...iconProps} />}
          rightSection={<Shortcut keys={['Enter']} />}
          onClick={() => commands.open(onlyEntry)}
        >
          {onlyEntry.kind === 'folder' ? 'Open' : 'Preview'}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconDownload {...iconProps} />} onClick={() => commands.download(selected)}>
        {onlyEntry?.kind === 'file' ? 'Download' : 'Download as zip'}
      </Menu.Item>
      {onlyEntry?.kind === 'file' && (
        <Menu.Item leftSection={<IconSparkles {...iconProps} />} onClick={() => commands.analyze(onlyEntry)}>
          Analyze with AI
        </Menu.Item>
      )}
      {onlyEntry && (
        <Menu.Item
          leftSection={<IconPencil {...iconProps} />}
          rightSection={<Shortcut keys={['F2']} />}
          onClick={() => commands.rename(onlyEntry)}
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
      {onlyEntry && (
        <Menu.Item
          leftSection={<IconCheckbox {...iconProps} />}
          rightSection={<Shortcut keys={['X']} />}
          onClick={() => onSelect(onlyEntry)}
        >
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

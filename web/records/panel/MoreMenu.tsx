import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconTrash } from '@tabler/icons-react'
import { Shortcut } from '#web/ui/Shortcut.tsx'

/** The menu with further actions of the open record. `noun` is the name of its kind: "deal". */
export const MoreMenu = ({ noun, onDelete }: { noun: string; onDelete: () => void }) => (
  <Menu position="bottom-end" width={210}>
    <Menu.Target>
      <ActionIcon aria-label="More actions">
        <IconDots size={18} stroke={1.7} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item
        data-danger
        leftSection={<IconTrash size={16} stroke={1.75} />}
        rightSection={<Shortcut keys={['Del']} />}
        onClick={onDelete}
      >
        Delete {noun}
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
)

import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconSparkles, IconTrash } from '@tabler/icons-react'
import type { KindName } from '#contract/kinds.ts'
import { askAssistant } from '#web/lib/askAssistant.ts'
import { Shortcut } from '#web/ui/Shortcut.tsx'

/** The menu with further actions of the open record. */
export const MoreMenu = ({ record, onDelete }: { record: { kind: KindName; id: string }; onDelete: () => void }) => (
  <Menu position="bottom-end" width={210}>
    <Menu.Target>
      <ActionIcon aria-label="More actions">
        <IconDots size={18} stroke={1.7} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item
        leftSection={<IconSparkles size={16} stroke={1.75} />}
        onClick={() => askAssistant({ text: `Summarise this ${record.kind}.`, record, isSentAtOnce: true })}
      >
        Summarise
      </Menu.Item>
      <Menu.Item leftSection={<IconSparkles size={16} stroke={1.75} />} onClick={() => askAssistant({ record })}>
        Ask about this {record.kind}
      </Menu.Item>
      <Menu.Item
        data-danger
        leftSection={<IconTrash size={16} stroke={1.75} />}
        rightSection={<Shortcut keys={['Del']} />}
        onClick={onDelete}
      >
        Delete {record.kind}
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
)

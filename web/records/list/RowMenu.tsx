import { Menu } from '@mantine/core'
import { IconCheckbox, IconPencil, IconTrash } from '@tabler/icons-react'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import type { ListKind } from './listKind.ts'
import classes from './RowActions.module.css'

export type OpenMenu<Row> = { row: Row; button: HTMLElement }

type RowMenuProps<Row extends { id: string }> = {
  kind: ListKind<Row>
  menu: OpenMenu<Row>
  actions: { edit: (row: Row) => void; select: (row: Row) => void; remove: (row: Row) => void }
  onClose: () => void
}

const icon = { size: 16, stroke: 1.75 }

/** What can be done with one record. One menu serves all rows: it opens at the button that was pressed. */
export function RowMenu<Row extends { id: string }>({ kind, menu: { row, button }, actions, onClose }: RowMenuProps<Row>) {
  const { left, top, width, height } = button.getBoundingClientRect()
  const close = () => {
    button.focus({ preventScroll: true })
    onClose()
  }
  return (
    <Menu opened onClose={close} position="bottom-end" width={210} returnFocus={false}>
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left, top, width, height, overflow: 'hidden', opacity: 0, pointerEvents: 'none' }}>
          {`More for ${kind.nameOf(row)}`}
        </span>
      </Menu.Target>
      <Menu.Dropdown className={classes['menu'] ?? ''}>
        <Menu.Item leftSection={<IconPencil {...icon} />} rightSection={<Shortcut keys={['E']} />} onClick={() => actions.edit(row)}>
          Edit {kind.singular}
        </Menu.Item>
        {kind.links?.(row).map(({ label, icon: Icon, href }) => (
          <Menu.Item key={label} leftSection={<Icon {...icon} />} component="a" href={href}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Item leftSection={<IconCheckbox {...icon} />} rightSection={<Shortcut keys={['X']} />} onClick={() => actions.select(row)}>
          Select
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          data-danger
          leftSection={<IconTrash {...icon} />}
          rightSection={<Shortcut keys={['Del']} />}
          onClick={() => actions.remove(row)}
        >
          Delete {kind.singular}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

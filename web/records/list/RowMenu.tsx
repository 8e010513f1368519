import { Menu } from '@mantine/core'
import { IconCheckbox, IconPencil, IconTrash } from '@tabler/icons-react'
import type { Icon } from '#web/lib/features.ts'
import { ButtonMenu } from '#web/ui/ButtonMenu.tsx'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import classes from './RowMenu.module.css'

type RowMenuProps = {
  /** The kind of the row: "contact". */
  noun: string
  /** The title of the row: "Imara Vantongeren". */
  title: string
  /** The button that opened the menu. */
  button: HTMLElement
  /** Links to other programs, such as to write an email. */
  links: readonly { label: string; icon: Icon; href: string }[]
  onEdit: () => void
  onSelect: () => void
  onDelete: () => void
  onClose: () => void
}

const iconProps = { size: 16, stroke: 1.75 }

/** The menu of a row. */
export function RowMenu({ noun, title, button, links, onEdit, onSelect, onDelete, onClose }: RowMenuProps) {
  return (
    <ButtonMenu button={button} label={`More for ${title}`} className={classes['menu']} onClose={onClose}>
      <Menu.Item leftSection={<IconPencil {...iconProps} />} rightSection={<Shortcut keys={['E']} />} onClick={onEdit}>
        Edit {noun}
      </Menu.Item>
      {links.map(({ label, icon: LinkIcon, href }) => (
        <Menu.Item key={label} leftSection={<LinkIcon {...iconProps} />} component="a" href={href}>
          {label}
        </Menu.Item>
      ))}
      <Menu.Item leftSection={<IconCheckbox {...iconProps} />} rightSection={<Shortcut keys={['X']} />} onClick={onSelect}>
        Select
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item data-danger leftSection={<IconTrash {...iconProps} />} rightSection={<Shortcut keys={['Del']} />} onClick={onDelete}>
        Delete {noun}
      </Menu.Item>
    </ButtonMenu>
  )
}

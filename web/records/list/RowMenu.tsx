import { Menu } from '@mantine/core'
import { IconCheckbox, IconPencil, IconTrash } from '@tabler/icons-react'
import type { MenuLink } from '#web/records/kind/kind.ts'
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
  /** Links to other programs, for example to write an email, and actions of the kind. */
  links: readonly MenuLink[]
  onAction: (action: string) => void
  onEdit: () => void
  onSelect: () => void
  onDelete: () => void
  onClose: () => void
}

const iconProps = { size: 16, stroke: 1.75 }

/** The menu of a row. */
export function RowMenu({ noun, title, button, links, onAction, onEdit, onSelect, onDelete, onClose }: RowMenuProps) {
  return (
    <ButtonMenu button={button} label={`More for ${title}`} className={classes['menu']} onClose={onClose}>
      <Menu.Item leftSection={<IconPencil {...iconProps} />} rightSection={<Shortcut keys={['E']} />} onClick={onEdit}>
        Edit {noun}
      </Menu.Item>
      {links.map((link) => (
        <LinkItem key={link.label} link={link} onAction={onAction} />
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

function LinkItem({ link, onAction }: { link: MenuLink } & Pick<RowMenuProps, 'onAction'>) {
  const { label, icon: LinkIcon } = link
  const icon = <LinkIcon {...iconProps} />
  if ('action' in link)
    return (
      <Menu.Item leftSection={icon} onClick={() => onAction(link.action)}>
        {label}
      </Menu.Item>
    )
  const newTab = link.opensNewTab && { target: '_blank', rel: 'noreferrer' }
  return (
    <Menu.Item leftSection={icon} component="a" href={link.href} {...newTab}>
      {label}
    </Menu.Item>
  )
}

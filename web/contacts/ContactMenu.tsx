import { Menu } from '@mantine/core'
import { IconCheckbox, IconMail, IconPencil, IconPhone, IconTrash } from '@tabler/icons-react'
import type { ContactRow } from '#contract/contacts.ts'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import classes from './ContactMenu.module.css'
import { fullName, mailLink, numberOf, phoneLink } from './links.ts'

export type OpenMenu = { contact: ContactRow; button: HTMLElement }

type ContactMenuProps = OpenMenu & { onEdit: () => void; onSelect: () => void; onDelete: () => void; onClose: () => void }

const icon = { size: 16, stroke: 1.75 }

/** What can be done with one contact. One menu serves all rows: it opens at the button that was pressed. */
export function ContactMenu({ contact, button, onEdit, onSelect, onDelete, onClose }: ContactMenuProps) {
  const { left, top, width, height } = button.getBoundingClientRect()
  const number = numberOf(contact)
  const close = () => {
    button.focus({ preventScroll: true })
    onClose()
  }
  return (
    <Menu opened onClose={close} position="bottom-end" width={210} returnFocus={false}>
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left, top, width, height, overflow: 'hidden', opacity: 0, pointerEvents: 'none' }}>
          {`More for ${fullName(contact)}`}
        </span>
      </Menu.Target>
      <Menu.Dropdown className={classes['menu'] ?? ''}>
        <Menu.Item leftSection={<IconPencil {...icon} />} rightSection={<Shortcut keys={['E']} />} onClick={onEdit}>
          Edit contact
        </Menu.Item>
        {contact.email && (
          <Menu.Item leftSection={<IconMail {...icon} />} component="a" href={mailLink(contact.email)}>
            Send email
          </Menu.Item>
        )}
        {number && (
          <Menu.Item leftSection={<IconPhone {...icon} />} component="a" href={phoneLink(number)}>
            Call
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconCheckbox {...icon} />} rightSection={<Shortcut keys={['X']} />} onClick={onSelect}>
          Select
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item data-danger leftSection={<IconTrash {...icon} />} rightSection={<Shortcut keys={['Del']} />} onClick={onDelete}>
          Delete contact
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

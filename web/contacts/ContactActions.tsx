import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Contact } from '#contract/contacts.ts'
import { useActions } from '#web/lib/actions.ts'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import { useDeleteContacts } from './deleting.ts'

/** What can be done with the contact that is shown: editing first, the rest in the menu. */
export function ContactActions({ contact: { id } }: { contact: Contact }) {
  const navigate = useNavigate()
  const deleting = useDeleteContacts()
  const remove = () => {
    deleting.mutate({ ids: [id] })
    void navigate({ to: '/crm/contacts' })
  }
  useActions([
    { keys: 'e', label: 'Edit contact', icon: IconPencil, run: () => void navigate({ to: '/crm/contacts/edit/$id', params: { id } }) },
    { keys: 'Delete #', label: 'Delete contact', icon: IconTrash, run: remove },
  ])
  return (
    <>
      <Menu position="bottom-end" width={210}>
        <Menu.Target>
          <ActionIcon aria-label="More">
            <IconDots size={18} stroke={1.7} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            data-danger
            leftSection={<IconTrash size={16} stroke={1.75} />}
            rightSection={<Shortcut keys={['Del']} />}
            onClick={remove}
          >
            Delete contact
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Tooltip label="Edit contact (E)">
        <Button
          variant="filled"
          renderRoot={(props) => <Link to="/crm/contacts/edit/$id" params={{ id }} {...props} />}
          leftSection={<IconPencil size={16} stroke={1.75} />}
          aria-keyshortcuts="e"
        >
          Edit contact
        </Button>
      </Tooltip>
    </>
  )
}

import { Button, Tooltip } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Contact } from '#contract/contacts.ts'
import { useActions } from '#web/lib/actions.ts'
import { MoreMenu } from '#web/records/panel/MoreMenu.tsx'
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
      <MoreMenu noun="contact" onDelete={remove} />
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

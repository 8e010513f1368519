import { Button, Tooltip } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

/** The way to the form, the one primary action of the list. */
export function AddContact() {
  return (
    <Tooltip label="Add contact (N)">
      <Button
        variant="filled"
        component={Link}
        to="/crm/contacts/new"
        leftSection={<IconPlus size={16} stroke={1.75} />}
        aria-keyshortcuts="n"
      >
        Add contact
      </Button>
    </Tooltip>
  )
}

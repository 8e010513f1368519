import { ActionIcon } from '@mantine/core'
import { IconArrowMerge } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { RecordsPage } from '#web/records/list/RecordsPage.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { contactKind } from './contactKind.tsx'

export const ContactsPage = () => (
  <RecordsPage
    kind={contactKind}
    actions={
      <Tooltip label="Find duplicates">
        <ActionIcon component={Link} to="/crm/contacts/duplicates" aria-label="Find duplicates">
          <IconArrowMerge size={18} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    }
  />
)

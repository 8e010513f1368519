import { ActionIcon, Tooltip } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { count } from '#web/lib/format.ts'
import { PanelSection } from '#web/records/panel/SidePanel.tsx'
import { LinkedTasks } from './LinkedTasks.tsx'
import { linkedTasks } from './queries.ts'

type DealOfTasks = { dealId: string; contactId: string | null }

/** The tasks of a deal, as a part of its panel: to tick, to open, to add one, which concerns the contact of the deal too. */
export function TasksSection({ dealId, contactId }: DealOfTasks) {
  const { data } = useQuery(linkedTasks('deal_id', dealId))
  const open = data?.rows.filter(({ status }) => status !== 'completed').length ?? 0
  return (
    <PanelSection title="Tasks" count={open > 0 ? count(open) : undefined} action={<AddTask dealId={dealId} contactId={contactId} />}>
      <LinkedTasks field="deal_id" id={dealId} none="What is to be done next for this deal?" />
    </PanelSection>
  )
}

const AddTask = ({ dealId, contactId }: DealOfTasks) => (
  <Tooltip label="Add task">
    <ActionIcon
      renderRoot={(props) => <Link to="/crm/tasks/new" search={{ deal: dealId, contact: contactId ?? undefined }} {...props} />}
      size={26}
      aria-label="Add task"
    >
      <IconPlus size={16} stroke={1.75} />
    </ActionIcon>
  </Tooltip>
)

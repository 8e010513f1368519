import { ActionIcon, Tooltip } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '#web/lib/format.ts'
import { PanelSection } from '#web/records/panel/SidePanel.tsx'
import { LinkedTasks } from './LinkedTasks.tsx'
import { linkedTasksQuery } from './queries.ts'

type TasksSectionProps = { dealId: string; contactId: string | null }

/** The section of a deal's panel with the tasks of the deal. A task that is added there is also linked to the contact of the deal. */
export function TasksSection({ dealId, contactId }: TasksSectionProps) {
  const { data } = useQuery(linkedTasksQuery('deal_id', dealId))
  const openTaskCount = data?.rows.filter(({ status }) => status !== 'completed').length ?? 0
  return (
    <PanelSection
      title="Tasks"
      count={openTaskCount > 0 ? formatNumber(openTaskCount) : undefined}
      action={<AddTask dealId={dealId} contactId={contactId} />}
    >
      <LinkedTasks field="deal_id" id={dealId} emptyText="What is to be done next for this deal?" />
    </PanelSection>
  )
}

const AddTask = ({ dealId, contactId }: TasksSectionProps) => (
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

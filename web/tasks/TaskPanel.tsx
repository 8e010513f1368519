import { IconAddressBook, IconAlignLeft, IconCalendarEvent, IconCheckbox, IconFlag, IconTargetArrow } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Task } from '#contract/tasks.ts'
import { formatDaysFromNow, countDaysUntil, formatExactDay, formatWeekdayAndDay } from '#web/lib/format.ts'
import { RecordPanel } from '#web/records/panel/RecordPanel.tsx'
import { EditableFacts, type EditableFact } from '#web/records/panel/EditableFacts.tsx'
import { Remark } from '#web/records/panel/RecordFacts.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { useNow } from '#web/ui/useNow.ts'
import { PriorityBadge, StatusBadge } from './TaskBadges.tsx'
import { taskInputs } from './taskInputs.tsx'
import { taskKind } from './taskKind.tsx'
import { isOverdue } from './taskLabels.ts'
import { ToggleButton } from './TaskToggles.tsx'

const facts: readonly EditableFact<Task>[] = [
  {
    fields: ['status'],
    icon: IconCheckbox,
    render: (task) => (
      <>
        <StatusBadge task={task} />
        {task.completed_at && (
          <Remark>
            <RelativeTime at={task.completed_at} />
          </Remark>
        )}
        <ToggleButton task={task} />
      </>
    ),
  },
  { fields: ['priority'], icon: IconFlag, render: ({ priority }) => <PriorityBadge priority={priority} /> },
  { fields: ['due_date'], icon: IconCalendarEvent, render: (task) => task.due_date && <Due task={task} due_date={task.due_date} /> },
  {
    fields: ['contact_id'],
    icon: IconAddressBook,
    render: ({ contact_id, contact_name }) =>
      contact_id && (
        <Link to="/crm/contacts/$id" params={{ id: contact_id }} className="link">
          {contact_name}
        </Link>
      ),
  },
  {
    fields: ['deal_id'],
    icon: IconTargetArrow,
    render: ({ deal_id, deal_title }) =>
      deal_id && (
        <Link to="/crm/deals/$id" params={{ id: deal_id }} className="link">
          {deal_title}
        </Link>
      ),
  },
  { fields: ['description'], icon: IconAlignLeft, isWide: true },
]

/** The panel of a task, which opens over the list. */
export const TaskPanel = () => (
  <RecordPanel kind={taskKind} inputs={taskInputs} titleField="title">
    {(task) => <EditableFacts kind={taskKind} record={task} inputs={taskInputs} facts={facts} />}
  </RecordPanel>
)

/** The due date. For an open task it shows the distance from today, in red when the task is overdue. */
function Due({ task, due_date }: { task: Task; due_date: string }) {
  const isOpen = task.status !== 'completed'
  const now = useNow()
  return (
    <>
      <time dateTime={due_date} title={formatExactDay(due_date)}>
        {formatWeekdayAndDay(due_date)}
      </time>
      {isOpen && <Remark tone={isOverdue(task, now) ? 'danger' : undefined}>{formatDaysFromNow(countDaysUntil(due_date, now))}</Remark>}
    </>
  )
}

import { IconAddressBook, IconCalendarEvent, IconCheckbox, IconCircleCheck, IconFlag, IconTargetArrow } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Task } from '#contract/tasks.ts'
import { formatDaysFromNow, countDaysUntil, formatExactDay, formatWeekdayAndDay } from '#web/lib/format.ts'
import { RecordPanel } from '#web/records/panel/RecordPanel.tsx'
import { Remark, Fact, RecordFacts } from '#web/records/panel/RecordFacts.tsx'
import { PanelText } from '#web/records/panel/SidePanel.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { PriorityBadge, StatusBadge } from './TaskBadges.tsx'
import { taskKind } from './taskKind.tsx'
import { isOverdue } from './taskLabels.ts'
import { ToggleButton } from './TaskToggles.tsx'

/** The panel of a task, which opens over the list. */
export const TaskPanel = () => <RecordPanel kind={taskKind}>{(task) => <TaskDetails task={task} />}</RecordPanel>

const TaskDetails = ({ task }: { task: Task }) => (
  <>
    <RecordFacts>
      <Fact icon={IconCheckbox} label="Status">
        <StatusBadge task={task} />
        <ToggleButton task={task} />
      </Fact>
      <Fact icon={IconFlag} label="Priority">
        <PriorityBadge priority={task.priority} />
      </Fact>
      <Fact icon={IconCalendarEvent} label="Due date">
        {task.due_date && <Due task={task} due_date={task.due_date} />}
      </Fact>
      {task.completed_at && (
        <Fact icon={IconCircleCheck} label="Completed">
          <RelativeTime at={task.completed_at} />
        </Fact>
      )}
      <Fact icon={IconAddressBook} label="Contact">
        {task.contact_id && (
          <Link to="/crm/contacts/$id" params={{ id: task.contact_id }} className="link">
            {task.contact_name}
          </Link>
        )}
      </Fact>
      <Fact icon={IconTargetArrow} label="Deal">
        {task.deal_id && (
          <Link to="/crm/deals/$id" params={{ id: task.deal_id }} className="link">
            {task.deal_title}
          </Link>
        )}
      </Fact>
    </RecordFacts>
    <PanelText>{task.description}</PanelText>
  </>
)

/** The due date. For an open task it shows the distance from today, in red when the task is overdue. */
function Due({ task, due_date }: { task: Task; due_date: string }) {
  const isOpen = task.status !== 'completed'
  return (
    <>
      <time dateTime={due_date} title={formatExactDay(due_date)}>
        {formatWeekdayAndDay(due_date)}
      </time>
      {isOpen && <Remark tone={isOverdue(task) ? 'danger' : undefined}>{formatDaysFromNow(countDaysUntil(due_date))}</Remark>}
    </>
  )
}

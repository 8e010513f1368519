import type { TaskPriority, TaskStatus } from '#contract/tasks.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { priorityLooks, statusLooks } from './taskWords.ts'
import { useShownStatus } from './toggling.ts'

/** Where a task stands; a tick of a moment ago counts already. */
export const StatusBadge = ({ task }: { task: { id: string; status: TaskStatus } }) => <Badge {...statusLooks[useShownStatus(task)]} />

export const PriorityBadge = ({ priority }: { priority: TaskPriority }) => <Badge {...priorityLooks[priority]} />

import type { TaskStatus } from '#contract/tasks.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { toggleTask, useShownStatus } from './toggling.ts'

type TaskTickProps = { task: { id: string; title: string; status: TaskStatus }; reachable?: boolean }

/** Says whether a task is done, and changes it. */
export function TaskTick({ task, reachable = true }: TaskTickProps) {
  const done = useShownStatus(task) === 'completed'
  return <Checkbox round label={`Complete: ${task.title}`} checked={done} reachable={reachable} onToggle={() => toggleTask(task)} />
}

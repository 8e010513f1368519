import { Button } from '@mantine/core'
import { IconArrowBackUp, IconCheck } from '@tabler/icons-react'
import type { TaskStatus } from '#contract/tasks.ts'
import { useActions } from '#web/lib/actions.ts'
import { toggleTask, useShownStatus } from './toggling.ts'

/** Marks a task as completed, or as pending again. */
export function ToggleButton({ task }: { task: { id: string; status: TaskStatus } }) {
  const done = useShownStatus(task) === 'completed'
  const label = done ? 'Reopen' : 'Complete'
  const Icon = done ? IconArrowBackUp : IconCheck
  useActions([{ keys: 'c', label: `${label} task`, run: () => toggleTask(task) }])
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<Icon size={14} stroke={1.9} />}
      title={`${label} task (C)`}
      onClick={() => toggleTask(task)}
    >
      {label}
    </Button>
  )
}

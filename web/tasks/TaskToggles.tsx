import { Button } from '@mantine/core'
import { IconArrowBackUp, IconCheck } from '@tabler/icons-react'
import { useActions } from '#web/lib/actions.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { toggleTask, useShownStatus, type TaskWithStatus } from './toggleTask.ts'

type TaskCheckboxProps = { task: TaskWithStatus & { title: string }; isInTabOrder?: boolean }

/** A checkbox that is checked when the task is completed. */
export function TaskCheckbox({ task, isInTabOrder = true }: TaskCheckboxProps) {
  const isCompleted = useShownStatus(task) === 'completed'
  return (
    <Checkbox
      isRound
      label={`Complete: ${task.title}`}
      checked={isCompleted}
      isInTabOrder={isInTabOrder}
      onToggle={() => toggleTask(task)}
    />
  )
}

/** A button, with a shortcut, that marks a task as completed or as pending again. */
export function ToggleButton({ task }: { task: TaskWithStatus }) {
  const isCompleted = useShownStatus(task) === 'completed'
  const label = isCompleted ? 'Reopen' : 'Complete'
  const Icon = isCompleted ? IconArrowBackUp : IconCheck
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

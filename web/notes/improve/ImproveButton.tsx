import { Button, Loader, VisuallyHidden } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'

type ImproveButtonProps = { isDisabled: boolean; isRunning: boolean; onStart: () => void; onStop: () => void }

/** A button that asks the AI for better wording. While the AI works, the same button stops the request, so that it keeps the focus. */
export function ImproveButton({ isDisabled, isRunning, onStart, onStop }: ImproveButtonProps) {
  return (
    <>
      <Button
        variant="subtle"
        disabled={isDisabled}
        leftSection={isRunning ? <Loader size={14} /> : <IconSparkles size={16} stroke={1.75} aria-hidden />}
        onClick={isRunning ? onStop : onStart}
      >
        {isRunning ? 'Stop improving' : 'Improve with AI'}
      </Button>
      <VisuallyHidden component="output">{isRunning && 'The AI is improving the note'}</VisuallyHidden>
    </>
  )
}

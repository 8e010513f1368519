import { Button, Loader, VisuallyHidden } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { canAskAi, maxColumnsForAi, type ImportColumn } from '#contract/imports.ts'
import { useAi } from '#web/lib/aiState.ts'
import { formatCount } from '#web/lib/format.ts'
import { AiOffNotice } from '#web/ui/AiOffNotice.tsx'
import classes from './AskAi.module.css'

type AskAiProps = { columns: readonly ImportColumn[]; isAsking: boolean; onAsk: () => void; onStop: () => void }

/** The id of the button, with which the page finds out whether the button has the focus. */
export const askAiButtonId = 'ask-ai-about-columns'

/** Offers to ask the AI about the unsure columns. Shows nothing without such columns, and nothing if no AI is connected. */
export function AskAi({ columns, isAsking, onAsk, onStop }: AskAiProps) {
  const { connection, findProblem } = useAi()
  const count = Math.min(columns.filter(canAskAi).length, maxColumnsForAi)
  if (count === 0 || connection === undefined || connection.source === 'off') return null
  const problem = findProblem()
  if (problem !== undefined)
    return (
      <div className={classes['area']}>
        <AiOffNotice text={problem} />
      </div>
    )
  return (
    <div className={classes['area']}>
      <Button
        id={askAiButtonId}
        variant="default"
        aria-describedby={`${askAiButtonId}-sent`}
        leftSection={isAsking ? <Loader size={14} /> : <IconSparkles size={16} stroke={1.75} aria-hidden />}
        onClick={isAsking ? onStop : onAsk}
      >
        {isAsking ? 'Stop asking' : `Ask AI about ${formatCount(count, 'unsure column')}`}
      </Button>
      <p id={`${askAiButtonId}-sent`} className={classes['sent']}>
        Sends the names of these columns and five masked values each, never the file.
      </p>
      <VisuallyHidden component="output">{isAsking && 'The AI is asked about the columns'}</VisuallyHidden>
    </div>
  )
}

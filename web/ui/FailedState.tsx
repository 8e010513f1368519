import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import classes from './states.module.css'

type FailedStateProps = {
  /** The heading: "Contacts could not be loaded". */
  title: string
  /** The reason, in a sentence. */
  reason: string
  onRetry: () => void
  isRetrying?: boolean
}

/** The content of a list or page that could not be loaded. */
export function FailedState({ title, reason, onRetry, isRetrying = false }: FailedStateProps) {
  return (
    <div className={classes['state']} role="alert">
      <h2 className={classes['title']}>{title}</h2>
      <p className={classes['text']}>{reason}</p>
      <div className={classes['actions']}>
        <Button variant="default" leftSection={<IconRefresh size={16} stroke={1.75} />} onClick={onRetry} loading={isRetrying}>
          Try again
        </Button>
      </div>
    </div>
  )
}

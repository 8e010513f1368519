import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import classes from './states.module.css'

type FailedStateProps = {
  /** "Contacts could not be loaded" */
  title: string
  /** Why, in a sentence. */
  reason: string
  onRetry: () => void
  retrying?: boolean
}

/** What a place shows when its content could not be had: why, and a way on. */
export function FailedState({ title, reason, onRetry, retrying = false }: FailedStateProps) {
  return (
    <div className={classes['state']} role="alert">
      <h2 className={classes['title']}>{title}</h2>
      <p className={classes['words']}>{reason}</p>
      <div className={classes['actions']}>
        <Button variant="default" leftSection={<IconRefresh size={16} stroke={1.75} />} onClick={onRetry} loading={retrying}>
          Try again
        </Button>
      </div>
    </div>
  )
}

import { Button } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import classes from './DraftNote.module.css'

/** Says that the fields hold what was typed before the page was left or loaded anew. */
export function DraftNote({ onStartOver }: { onStartOver: () => void }) {
  return (
    <div className={classes['note']}>
      <IconInfoCircle size={18} stroke={1.7} aria-hidden />
      <p>What you typed before is back. It is not saved yet.</p>
      <Button variant="default" onClick={onStartOver}>
        Start over
      </Button>
    </div>
  )
}

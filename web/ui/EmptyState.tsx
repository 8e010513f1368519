import type { ReactNode } from 'react'
import { DoorIllustration } from './DoorIllustration.tsx'
import classes from './states.module.css'

type EmptyStateProps = {
  title: string
  /** One or two sentences about the purpose of the list and the first step. */
  children: ReactNode
  /** The buttons for the first step, the primary one first. */
  actions?: ReactNode
  /** Additional shapes in the svg of the door. */
  motif?: ReactNode
  /** Hides the illustration, for a search without results. */
  quiet?: boolean
}

/** The content of an empty list. */
export function EmptyState({ title, children, actions, motif, quiet = false }: EmptyStateProps) {
  return (
    <div className={classes['state']}>
      {!quiet && <DoorIllustration>{motif}</DoorIllustration>}
      <h2 className={classes['title']}>{title}</h2>
      <p className={classes['text']}>{children}</p>
      {actions && (
        <div className={classes['actions']} data-first-step>
          {actions}
        </div>
      )}
    </div>
  )
}

import type { ReactNode } from 'react'
import { DoorIllustration } from './DoorIllustration.tsx'
import classes from './states.module.css'

type EmptyStateProps = {
  title: string
  /** What the list is for and what to do first, in one or two sentences. */
  children: ReactNode
  /** The buttons of the first step, the primary one first. */
  actions?: ReactNode
  /** Further drawings in the svg of the door. */
  motif?: ReactNode
  /** Without the drawing, for searches without a result. */
  quiet?: boolean
}

/** The content of an empty list. */
export function EmptyState({ title, children, actions, motif, quiet = false }: EmptyStateProps) {
  return (
    <div className={classes['state']}>
      {!quiet && <DoorIllustration>{motif}</DoorIllustration>}
      <h2 className={classes['title']}>{title}</h2>
      <p className={classes['words']}>{children}</p>
      {actions && (
        <div className={classes['actions']} data-first-step>
          {actions}
        </div>
      )}
    </div>
  )
}

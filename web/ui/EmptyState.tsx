import type { ReactNode } from 'react'
import { DoorIllustration } from './DoorIllustration.tsx'
import classes from './states.module.css'

type EmptyStateProps = {
  title: string
  /** What lives here and how it begins, in one or two sentences. */
  children: ReactNode
  /** The first step: the primary button, then the others. */
  actions?: ReactNode
  /** Drawn beside the door, as parts of its svg. */
  motif?: ReactNode
  /** Nothing found is quieter than nothing there: no drawing. */
  quiet?: boolean
}

/** What a place shows as long as nothing is in it. */
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

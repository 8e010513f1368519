import type { ReactNode } from 'react'
import { DoorIllustration } from './DoorIllustration.tsx'
import classes from './states.module.css'

type EmptyStateProps = {
  title: string
  /** One or two sentences about the purpose of the list and what the user can do first. */
  children: ReactNode
  /**
   * The buttons for what the user can do first, the primary button first. `useReturnFocus` finds them by the attribute `data-first-step`.
   */
  actions?: ReactNode
  /** Additional SVG shapes in the illustration. */
  illustrationShapes?: ReactNode
  /** For example for a search without results. */
  hideIllustration?: boolean
}

/** The content of an empty list. */
export function EmptyState({ title, children, actions, illustrationShapes, hideIllustration = false }: EmptyStateProps) {
  return (
    <div className={classes['state']}>
      {!hideIllustration && <DoorIllustration>{illustrationShapes}</DoorIllustration>}
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

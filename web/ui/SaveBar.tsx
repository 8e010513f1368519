import type { ReactNode } from 'react'
import classes from './SaveBar.module.css'

type SaveBarProps = {
  /** A text at the left: "1 choice to make". */
  note?: ReactNode
  /** Whether the form has two columns. */
  isWide?: boolean
  children: ReactNode
}

/** The bar with the buttons at the bottom of a form. */
export function SaveBar({ note, isWide = false, children }: SaveBarProps) {
  return (
    <div className={classes['bar']} data-save-bar>
      <div className={classes['inner']} data-wide={isWide || undefined}>
        <div className={classes['note']}>{note}</div>
        {children}
      </div>
    </div>
  )
}

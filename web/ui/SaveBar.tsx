import type { ReactNode } from 'react'
import classes from './SaveBar.module.css'

/** The bar with the buttons at the bottom of a form. `note` is a text at the left: "1 choice to make". */
export function SaveBar({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes['bar']} data-save-bar>
      <div className={classes['inner']}>
        <div className={classes['note']}>{note}</div>
        {children}
      </div>
    </div>
  )
}

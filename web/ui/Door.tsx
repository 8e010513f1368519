import type { ReactNode } from 'react'
import classes from './Door.module.css'

/** The drawing of the house: a door that stands open. `children` are motifs beside it, as parts of the same svg (160 by 120). */
export function Door({ children }: { children?: ReactNode }) {
  return (
    <svg className={classes['door']} viewBox="0 0 160 120" width="160" height="120" aria-hidden="true">
      <path d="M14 108h132" />
      <path d="M50 108V58a30 30 0 0 1 60 0v50" />
      <path className={classes['quiet']} d="M58 108V58a22 22 0 0 1 44 0v50" />
      <path className={classes['leaf']} d="M58 46l23 10c2 1 3 2.5 3 4.5V114c0 1.5-1.5 2.5-3 2l-23-8z" />
      <path className={classes['leaf']} d="M77 85v6" />
      <g className={classes['quiet']}>{children}</g>
    </svg>
  )
}

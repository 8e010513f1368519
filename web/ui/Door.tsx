import type { ReactNode } from 'react'
import { door } from '#web/brand/door.ts'
import classes from './Door.module.css'

/** The drawing of the house: a door that stands open. `children` are motifs beside it, as parts of the same svg (160 by 120). */
export function Door({ children }: { children?: ReactNode }) {
  return (
    <svg className={classes['door']} viewBox="0 0 160 120" width="160" height="120" aria-hidden="true">
      <path d={door.ground} />
      <path d={door.frame} />
      <path className={classes['quiet']} d={door.reveal} />
      <path className={classes['leaf']} d={door.leaf} />
      <path className={classes['leaf']} d={door.handle} />
      <g className={classes['quiet']}>{children}</g>
    </svg>
  )
}

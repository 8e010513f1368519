import type { ReactNode } from 'react'
import { openDoorShapes } from '#web/brand/drawings.ts'
import classes from './DoorIllustration.module.css'

/** An open door, the illustration of empty lists and of pages that were not found. `children` are additional shapes in the same SVG. */
export function DoorIllustration({ children }: { children?: ReactNode }) {
  return (
    <svg className={classes['illustration']} viewBox="0 0 160 120" width="160" height="120" aria-hidden="true">
      <path d={openDoorShapes.ground} />
      <path d={openDoorShapes.frame} />
      <path className={classes['pale']} d={openDoorShapes.inset} />
      <path className={classes['door']} d={openDoorShapes.door} />
      <path className={classes['door']} d={openDoorShapes.handle} />
      <g className={classes['pale']}>{children}</g>
    </svg>
  )
}

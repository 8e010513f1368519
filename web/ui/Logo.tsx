import { logo } from '#web/brand/drawings.ts'
import classes from './Logo.module.css'

/** The logo without the name. */
export function Logo({ size }: { size: number }) {
  return (
    <svg className={classes['logo']} viewBox="0 0 32 32" width={size} height={size} fill="currentColor" aria-hidden="true">
      <path d={logo.frame} />
      <path d={logo.door} fillOpacity={logo.doorOpacity} />
    </svg>
  )
}

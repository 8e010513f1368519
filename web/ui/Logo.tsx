import { mark } from '#web/brand/mark.ts'
import classes from './Logo.module.css'

/** The mark of the house; the name stands beside it as text. */
export function Logo({ size }: { size: number }) {
  return (
    <svg className={classes['logo']} viewBox="0 0 32 32" width={size} height={size} fill="currentColor" aria-hidden="true">
      <path d={mark.frame} />
      <path d={mark.leaf} fillOpacity={mark.leafOpacity} />
    </svg>
  )
}

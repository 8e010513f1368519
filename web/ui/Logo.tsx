import classes from './Logo.module.css'

/** The mark of the house; the name stands beside it as text. */
export function Logo({ size }: { size: number }) {
  return (
    <svg className={classes['logo']} viewBox="0 0 32 32" width={size} height={size} fill="currentColor" aria-hidden="true">
      <path d="M4 28V13.5a12 12 0 0 1 24 0V28h-4V13.5a8 8 0 0 0-16 0V28z" />
      <path fillOpacity=".55" d="M8 9.5l9.3 4.3c1 .5 1.7 1.5 1.7 2.7V29.6c0 1.1-1.1 1.8-2.1 1.3L8 27z" />
    </svg>
  )
}

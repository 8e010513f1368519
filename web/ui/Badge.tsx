import classes from './Badge.module.css'

type BadgeProps = {
  label: string
  /** A CSS colour: `var(--f-stage-won)`. */
  colour: string
  /** `ring` means not started, `half` in progress, `full` completed. */
  dot?: 'full' | 'half' | 'ring'
}

/** A status as a word with a coloured dot. */
export function Badge({ label, colour, dot = 'full' }: BadgeProps) {
  return (
    <span className={classes['badge']}>
      <span className={classes['dot']} data-dot={dot} style={{ color: colour }} aria-hidden="true" />
      {label}
    </span>
  )
}

import classes from './Badge.module.css'

/** `dot`: a ring for not started, half for in progress, full for done. */
type BadgeProps = { label: string; colour: string; dot?: 'full' | 'half' | 'ring' }

/** A status as a word with a coloured dot. `colour` is a CSS colour: `var(--f-stage-won)`. */
export function Badge({ label, colour, dot = 'full' }: BadgeProps) {
  return (
    <span className={classes['badge']}>
      <span className={classes['dot']} data-dot={dot} style={{ color: colour }} aria-hidden="true" />
      {label}
    </span>
  )
}

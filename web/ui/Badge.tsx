import classes from './Badge.module.css'

/** A ring is not begun or off, half is on its way, full is there. */
type BadgeProps = { label: string; colour: string; dot?: 'full' | 'half' | 'ring' }

/** A state as a word with a dot. `colour` is a CSS colour: `var(--f-stage-won)`. The word says it all; the dot is quicker to find. */
export function Badge({ label, colour, dot = 'full' }: BadgeProps) {
  return (
    <span className={classes['badge']}>
      <span className={classes['dot']} data-dot={dot} style={{ color: colour }} aria-hidden="true" />
      {label}
    </span>
  )
}

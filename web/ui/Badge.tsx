import classes from './Badge.module.css'

/** `ring` means not started, `half` in progress, `full` completed. */
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

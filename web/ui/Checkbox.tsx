import classes from './Checkbox.module.css'

type CheckboxProps = {
  label: string
  checked: boolean
  /** Shows the third state: some but not all rows are selected. */
  indeterminate?: boolean
  disabled?: boolean
  round?: boolean
  /** False leaves it out of the tab order. */
  reachable?: boolean
  onToggle: (range: boolean) => void
}

/** A checkbox without a visible label. `onToggle` gets true when Shift is held, which selects a range. */
export function Checkbox({
  label,
  checked,
  indeterminate = false,
  disabled = false,
  round = false,
  reachable = true,
  onToggle,
}: CheckboxProps) {
  return (
    <input
      type="checkbox"
      className={classes['checkbox']}
      data-round={round || undefined}
      aria-label={label}
      checked={checked}
      disabled={disabled}
      tabIndex={reachable ? 0 : -1}
      ref={(input) => {
        if (input) input.indeterminate = indeterminate
      }}
      onChange={(event) => onToggle('shiftKey' in event.nativeEvent && event.nativeEvent.shiftKey === true)}
    />
  )
}

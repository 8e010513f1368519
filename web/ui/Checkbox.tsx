import classes from './Checkbox.module.css'

type CheckboxProps = {
  label: string
  checked: boolean
  /** Shows the third state, for example when only some rows are selected. */
  indeterminate?: boolean
  disabled?: boolean
  round?: boolean
  /** False removes the checkbox from the tab order. */
  reachable?: boolean
  onToggle: (range: boolean) => void
}

/** A checkbox without a visible label. `onToggle` is called with true when Shift is held, to select a range. */
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

import classes from './Checkbox.module.css'

type CheckboxProps = {
  label: string
  checked: boolean
  /** Shows the third state, for example when only some rows are selected. */
  indeterminate?: boolean
  disabled?: boolean
  isRound?: boolean
  /** False removes the checkbox from the tab order. */
  isInTabOrder?: boolean
  onToggle: (click: { isShiftHeld: boolean }) => void
}

/** A checkbox without a visible label. Shift with a click selects a range of rows in a table. */
export function Checkbox({
  label,
  checked,
  indeterminate = false,
  disabled = false,
  isRound = false,
  isInTabOrder = true,
  onToggle,
}: CheckboxProps) {
  return (
    <input
      type="checkbox"
      className={classes['checkbox']}
      data-round={isRound || undefined}
      aria-label={label}
      checked={checked}
      disabled={disabled}
      tabIndex={isInTabOrder ? 0 : -1}
      ref={(input) => {
        if (input) input.indeterminate = indeterminate
      }}
      onChange={(event) => {
        // the native event is a click, which knows the modifier keys
        const isShiftHeld = 'shiftKey' in event.nativeEvent && event.nativeEvent.shiftKey === true
        onToggle({ isShiftHeld })
      }}
    />
  )
}

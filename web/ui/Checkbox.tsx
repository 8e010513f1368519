import classes from './Checkbox.module.css'

type CheckboxProps = {
  label: string
  checked: boolean
  some?: boolean
  disabled?: boolean
  round?: boolean
  reachable?: boolean
  onToggle: (range: boolean) => void
}

/** A small box to choose a row, or with `some` a part of the rows. Shift says that a range is meant. A round one says that something is done. */
export function Checkbox({ label, checked, some = false, disabled = false, round = false, reachable = true, onToggle }: CheckboxProps) {
  return (
    <input
      type="checkbox"
      className={classes['tick']}
      data-round={round || undefined}
      aria-label={label}
      checked={checked}
      disabled={disabled}
      tabIndex={reachable ? 0 : -1}
      ref={(input) => {
        if (input) input.indeterminate = some
      }}
      onChange={(event) => onToggle('shiftKey' in event.nativeEvent && event.nativeEvent.shiftKey === true)}
    />
  )
}

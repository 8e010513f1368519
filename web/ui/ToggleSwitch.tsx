import classes from './ToggleSwitch.module.css'

type ToggleSwitchProps = {
  /** The text beside the switch. */
  label: string
  /** The name for screen readers, if it is not the text: "Newsletter is active". */
  name?: string
  checked: boolean
  className?: string | undefined
  onChange: (checked: boolean) => void
}

/** A switch for a setting that is on or off. Mantine's switch is not used, because its code would be loaded with the first screen. */
export const ToggleSwitch = ({ label, name, checked, className = '', onChange }: ToggleSwitchProps) => (
  <label className={`${classes['switch']} ${className}`}>
    <input
      type="checkbox"
      role="switch"
      aria-checked={checked}
      aria-label={name}
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    <span>{label}</span>
  </label>
)

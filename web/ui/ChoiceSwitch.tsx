import type { ReactNode } from 'react'
import classes from './ChoiceSwitch.module.css'

type ChoiceSwitchProps<Value extends string> = {
  /** The label of the group: "View". */
  label: string
  /** A choice with an icon shows its label only on hover. */
  choices: readonly { value: Value; label: string; icon?: ReactNode }[]
  value: Value
  onChange: (value: Value) => void
}

/** A row of two or three joined buttons, one of which is selected. */
export const ChoiceSwitch = <Value extends string>({ label, choices, value, onChange }: ChoiceSwitchProps<Value>) => (
  <fieldset className={classes['switch']} aria-label={label}>
    {choices.map((choice) => (
      <button
        key={choice.value}
        type="button"
        aria-pressed={choice.value === value}
        aria-label={choice.label}
        title={choice.icon ? choice.label : undefined}
        onClick={() => onChange(choice.value)}
      >
        {choice.icon ?? choice.label}
      </button>
    ))}
  </fieldset>
)

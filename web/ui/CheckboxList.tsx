import { Checkbox } from './Checkbox.tsx'
import classes from './CheckboxList.module.css'

type CheckboxListProps = {
  /** The label of the list: "Lead source". */
  label: string
  choices: readonly { value: string; label: string; about?: string }[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** A list of checkboxes to select several values. */
export const CheckboxList = ({ label, choices, chosen, onChange }: CheckboxListProps) => (
  <fieldset className={classes['list']} aria-label={label}>
    {choices.map((choice) => {
      const isChosen = chosen.includes(choice.value)
      return (
        <label key={choice.value} className={classes['choice']}>
          <Checkbox
            label={choice.label}
            checked={isChosen}
            onToggle={() => onChange(isChosen ? chosen.filter((value) => value !== choice.value) : [...chosen, choice.value])}
          />
          <span className={classes['text']}>{choice.label}</span>
          {choice.about && <span className={classes['about']}>{choice.about}</span>}
        </label>
      )
    })}
  </fieldset>
)

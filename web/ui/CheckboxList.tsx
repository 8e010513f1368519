import { Checkbox } from './Checkbox.tsx'
import classes from './CheckboxList.module.css'

type CheckboxListProps = {
  /** The label of the list: "Lead source". */
  label: string
  /** `detail` is a text at the right end of a choice. */
  choices: readonly { value: string; label: string; detail?: string }[]
  /** The values of the selected choices. */
  selected: readonly string[]
  onChange: (selected: string[]) => void
}

/** A list of checkboxes to select several values. */
export const CheckboxList = ({ label, choices, selected, onChange }: CheckboxListProps) => (
  <fieldset className={classes['list']} aria-label={label}>
    {choices.map((choice) => {
      const isSelected = selected.includes(choice.value)
      const toggle = (): void => onChange(isSelected ? selected.filter((value) => value !== choice.value) : [...selected, choice.value])
      return (
        <label key={choice.value} className={classes['choice']}>
          <Checkbox label={choice.label} checked={isSelected} onToggle={toggle} />
          <span className={classes['text']}>{choice.label}</span>
          {choice.detail && <span className={classes['detail']}>{choice.detail}</span>}
        </label>
      )
    })}
  </fieldset>
)

import { useId, type ReactNode } from 'react'
import classes from './FieldConflict.module.css'

export type Side = 'yours' | 'theirs'

/** A value of the field. `origin` is the text about its author: "Saved 2 minutes ago by Nora". */
type Version = { value: ReactNode; origin: ReactNode }
type FieldConflictProps = { label: string; yours: Version; theirs: Version; selected: Side; onSelect: (side: Side) => void }

/**
 * Replaces the input of a field that was changed both in this form and by another change. Shows both values with their authors; the user
 * selects one.
 */
export function FieldConflict({ label, yours, theirs, selected, onSelect }: FieldConflictProps) {
  const group = useId()
  const sides = [
    { side: 'yours', ...yours },
    { side: 'theirs', ...theirs },
  ] as const
  return (
    <fieldset className={classes['conflict']} data-conflict>
      <legend className={classes['label']}>{label}</legend>
      {sides.map(({ side, value, origin }) => (
        <label key={side} className={classes['option']}>
          <input
            type="radio"
            name={group}
            checked={selected === side}
            onChange={() => onSelect(side)}
            onClick={() => onSelect(side)} // a click on the side that is selected at first is a choice too, and sends no change event
          />
          <span className={classes['value']} dir="auto">
            {value}
          </span>
          <span className={classes['origin']}>{origin}</span>
        </label>
      ))}
    </fieldset>
  )
}

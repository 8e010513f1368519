import { useId, type ReactNode } from 'react'
import classes from './FieldConflict.module.css'

export type Side = 'yours' | 'theirs'

type Version = { value: ReactNode; origin: ReactNode }
type FieldConflictProps = { label: string; yours: Version; theirs: Version; chosen: Side; onChoose: (side: Side) => void }

/** Replaces a field with a conflict. Shows both values and who changed them, and lets the user choose one. */
export function FieldConflict({ label, yours, theirs, chosen, onChoose }: FieldConflictProps) {
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
            checked={chosen === side}
            onChange={() => onChoose(side)}
            onClick={() => onChoose(side)} // a click on the checked option confirms it
          />
          <span className={classes['value']}>{value}</span>
          <span className={classes['origin']}>{origin}</span>
        </label>
      ))}
    </fieldset>
  )
}

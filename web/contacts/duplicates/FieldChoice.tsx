import { useId } from 'react'
import type { MergeRow, Side } from './mergeFields.ts'
import classes from './MergeView.module.css'

type FieldChoiceProps = { row: MergeRow; side: Side; onChoose: (side: Side) => void }

/** The two values of a field. The user chooses the value that the merge keeps; an empty value cannot be chosen. */
export function FieldChoice({ row: { label, values }, side, onChoose }: FieldChoiceProps) {
  const group = useId()
  return (
    <div className={classes['row']} role="radiogroup" aria-label={label}>
      <span className={classes['label']} aria-hidden="true">
        {label}
      </span>
      {(['this', 'other'] as const).map((each) =>
        values[each] === '' ? (
          <span key={each} className={classes['empty']}>
            empty
          </span>
        ) : (
          <label key={each} className={classes['option']} data-chosen={side === each || undefined}>
            <input type="radio" name={group} checked={side === each} onChange={() => onChoose(each)} />
            <span className={classes['value']} dir="auto">
              {values[each]}
            </span>
          </label>
        ),
      )}
    </div>
  )
}

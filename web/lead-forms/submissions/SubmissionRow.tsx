import type { Submission } from '#contract/submissions.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { SubmissionDetails } from './SubmissionDetails.tsx'
import classes from './SubmissionsPage.module.css'

type RowProps = {
  row: Submission
  isSelected: boolean
  onSelect: (click: { isShiftHeld: boolean }) => void
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  /** Is called when the submission was deleted or moved out of the list. */
  onGone: () => void
}

/** A submission in the list. Its details open below it. */
export function SubmissionRow({ row, isSelected, onSelect, isOpen, onToggle, onGone }: RowProps) {
  const { id, name, email, summary, created_at: receivedAt } = row
  return (
    <li className={classes['row']}>
      <div className={classes['line']}>
        <span className={classes['select']}>
          <Checkbox label={`Select ${name || email}`} checked={isSelected} onToggle={onSelect} />
        </span>
        <button
          type="button"
          className={classes['head']}
          aria-expanded={isOpen}
          aria-controls={`submission-${id}`}
          onClick={() => onToggle(!isOpen)}
        >
          <span className={classes['name']} dir="auto">
            {name || email}
          </span>
          <span className={classes['email']}>{email}</span>
          <span className={classes['summary']} dir="auto">
            {summary}
          </span>
          <span className={classes['time']}>
            <RelativeTime at={receivedAt} />
          </span>
        </button>
      </div>
      <div id={`submission-${id}`} hidden={!isOpen}>
        {isOpen && <SubmissionDetails id={id} onGone={onGone} />}
      </div>
    </li>
  )
}

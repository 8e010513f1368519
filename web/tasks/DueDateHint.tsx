import { Button } from '@mantine/core'
import { IconCalendarEvent } from '@tabler/icons-react'
import { useEffect } from 'react'
import { formatWeekdayAndDay } from '#web/lib/format.ts'
import { toText } from '#web/records/form/fields.ts'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import type { DueDateInTitle } from './useDueDateInTitle.ts'
import classes from './tasks.module.css'

/**
 * Writes the date that the title names ("call Imara friday") into the field of the due date. Shows this date and the title that will be
 * saved. A button keeps the title as it was typed, and sets the due date back to the one with which the form began.
 */
export function DueDateHint({ editor, dueDateInTitle }: { editor: RecordEditor; dueDateInTitle: DueDateInTitle }) {
  const { form, startingEdit, isDraftRestored } = editor
  const title = toText(form.values['title'])
  const reading = dueDateInTitle.read(form.values, editor)
  useEffect(() => {
    if (startingEdit.version > 0) return // the new task was just saved; from now on its title no longer changes its due date
    dueDateInTitle.updateDueDate(editor)
    // oxlint-disable-next-line react/exhaustive-deps -- not when only the due date changes, so that a date that the user enters stays
  }, [title, dueDateInTitle.canRead, isDraftRestored])
  const isShown = reading !== undefined && reading.due_date === form.values['due_date']
  return (
    <div className={classes['dueHint']} hidden={!isShown}>
      <output>
        {isShown && (
          <>
            <IconCalendarEvent size={16} stroke={1.75} aria-hidden /> Due {formatWeekdayAndDay(reading.due_date)}
            {reading.title !== title.trim() && `, saved as “${reading.title}”`}
            {reading.hasTime && '. Tasks have no time, so it stays in the title.'}
          </>
        )}
      </output>
      {isShown && (
        <Button variant="subtle" size="compact-sm" onClick={() => dueDateInTitle.ignore(reading, editor)}>
          Keep as typed
        </Button>
      )}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { getToday } from '#web/lib/format.ts'
import { toText, type FieldValues } from '#web/records/form/fields.ts'
import { getDayFormat } from '#web/records/form/typedDay.ts'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import type { DueDateReading } from './readDueDate.ts'

export type DueDateInTitle = ReturnType<typeof useDueDateInTitle>

/**
 * Reads the due date that the user writes into the title of a new task. A due date that the user has entered in its own field is never
 * replaced. `prefilledDate` is the due date that a new form begins with, or empty. The edit, and so the draft of the form, remembers:
 * - `dateFromTitle`: the date that was set because of the title
 * - `titleOfDate`: the title that named this date. It is not read again, because "tomorrow" in a draft of yesterday means another day.
 * - `ignoredWords`: the words of a date that the user keeps in the title as they were typed
 */
export function useDueDateInTitle(prefilledDate: string) {
  const { data: reader } = useQuery({
    queryKey: ['reader of due dates'],
    queryFn: () => import('./readDueDate.ts'), // the parser is large, and only this dialog needs it
    staleTime: Infinity,
    structuralSharing: false,
  })
  const read = (values: FieldValues, { startingEdit: { remembered } }: RecordEditor): DueDateReading | undefined => {
    const reading = reader?.readDueDate(toText(values['title']), { today: getToday(), dayFormat: getDayFormat() })
    return reading && reading.words === remembered?.['ignoredWords'] ? undefined : reading
  }
  return {
    canRead: reader !== undefined,
    read,
    /** Keeps the words of the date in the title. If they have set the due date, sets it back to the one with which the form began. */
    ignore: ({ words, due_date: dueDate }: DueDateReading, { form, startingEdit, updateEdit }: RecordEditor): void => {
      updateEdit({ remembered: { ignoredWords: words } })
      if (startingEdit.remembered?.['dateFromTitle'] === dueDate) form.setFieldValue('due_date', prefilledDate)
    },
    /** Sets the due date of the form after the title has changed, or after a restored draft was discarded. */
    updateDueDate: (editor: RecordEditor): void => {
      const { form, startingEdit, updateEdit } = editor
      const values = form.getValues()
      const title = toText(values['title'])
      const { dateFromTitle = '', titleOfDate, ...others } = startingEdit.remembered ?? {}
      if (!reader || title === titleOfDate) return
      if (toText(values['due_date']) !== (dateFromTitle || prefilledDate)) return // the user has entered this date
      const reading = read(values, editor)
      if (!reading && dateFromTitle === '') return
      updateEdit({ remembered: reading ? { ...others, dateFromTitle: reading.due_date, titleOfDate: title } : others })
      form.setFieldValue('due_date', reading?.due_date ?? prefilledDate)
    },
    /** Removes the words of the due date from the title when the user saves the task. */
    completeValues: (values: FieldValues, editor: RecordEditor): FieldValues => {
      const reading = read(values, editor)
      if (reading?.due_date !== toText(values['due_date'])) return values
      editor.updateEdit({ remembered: {} }) // from now on the date no longer depends on the title
      return { ...values, title: reading.title }
    },
  }
}

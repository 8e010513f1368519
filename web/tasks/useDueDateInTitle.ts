import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { getToday } from '#web/lib/format.ts'
import { toText, type FieldValues } from '#web/records/form/fields.ts'
import { getDayFormat } from '#web/records/form/typedDay.ts'
import type { DueDateReading } from './readDueDate.ts'

export type DueDateInTitle = ReturnType<typeof useDueDateInTitle>

/**
 * Reads the due date that the user writes into the title of a new task. A due date that the user has entered in its own field is never
 * replaced. `prefilledDate` is the due date that the form began with, or empty.
 */
export function useDueDateInTitle(prefilledDate: string) {
  const { data: reader } = useQuery({
    queryKey: ['reader of due dates'],
    queryFn: () => import('./readDueDate.ts'), // the parser is large, and only this dialog needs it
    staleTime: Infinity,
    structuralSharing: false,
  })
  /** The date that was set because of the title. */
  const dateFromTitle = useRef<string>(undefined)
  const [ignoredWords, setIgnoredWords] = useState<string>()
  const read = (title: string): DueDateReading | undefined => {
    const reading = reader?.readDueDate(title, { today: getToday(), dayFormat: getDayFormat() })
    return reading && reading.words === ignoredWords ? undefined : reading
  }
  return {
    read,
    ignore: ({ words }: DueDateReading): void => setIgnoredWords(words),
    /** Returns the due date of the form after the title has changed. */
    updateDueDate: (values: FieldValues): string => {
      const dueDate = toText(values['due_date'])
      if (dueDate !== (dateFromTitle.current ?? prefilledDate)) return dueDate // the user has entered this date
      dateFromTitle.current = read(toText(values['title']))?.due_date
      return dateFromTitle.current ?? prefilledDate
    },
    /** Removes the words of the due date from the title when the user saves the task. */
    completeValues: (values: FieldValues): FieldValues => {
      const reading = read(toText(values['title']))
      if (reading?.due_date !== toText(values['due_date'])) return values
      dateFromTitle.current = undefined // from now on the date no longer depends on the title
      return { ...values, title: reading.title }
    },
  }
}

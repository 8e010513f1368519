import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { getToday } from '#web/lib/format.ts'
import { toText, type FieldValues } from '#web/records/form/fields.ts'
import { getDayFormat } from '#web/records/form/typedDay.ts'
import type { DueDateReading } from './readDueDate.ts'

export type DueDateInTitle = ReturnType<typeof useDueDateInTitle>

/**
 * Reads the due date that the user writes into the title of a new task. A due date that the user has entered in its own field is never
 * replaced, unless a draft is restored whose title names the same date. `prefilledDate` is the due date that a new form begins with, or
 * empty.
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
  /** The title with which the form began. It is not empty if the form was opened with a title, or if a draft was restored. */
  const initialTitle = useRef<string>(undefined)
  const isInitialTitleRead = useRef(false)
  const [ignoredWords, setIgnoredWords] = useState<string>()
  const read = (title: string): DueDateReading | undefined => {
    const reading = reader?.readDueDate(title, { today: getToday(), dayFormat: getDayFormat() })
    return reading && reading.words === ignoredWords ? undefined : reading
  }
  /** Finds out whether the due date of a restored draft was set because of its title. The draft does not say so. */
  const readInitialTitle = (title: string, dueDate: string): void => {
    initialTitle.current ??= title
    if (!reader || isInitialTitleRead.current) return
    isInitialTitleRead.current = true
    if (read(initialTitle.current)?.due_date === dueDate) dateFromTitle.current = dueDate
  }
  return {
    read,
    ignore: ({ words }: DueDateReading): void => setIgnoredWords(words),
    /** Returns the due date of the form after the title has changed. */
    updateDueDate: (values: FieldValues): string => {
      const dueDate = toText(values['due_date'])
      const title = toText(values['title'])
      readInitialTitle(title, dueDate)
      if (title === '' && dueDate === prefilledDate) dateFromTitle.current = undefined // as in a new form, for example after the draft was discarded
      if (dueDate !== (dateFromTitle.current ?? prefilledDate)) return dueDate // the user has entered this date
      dateFromTitle.current = read(title)?.due_date
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

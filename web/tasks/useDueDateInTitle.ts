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
  /** The title of a restored draft. */
  const titleOfDraft = useRef<string>(undefined)
  const isDraftRead = useRef(false)
  const [ignoredWords, setIgnoredWords] = useState<string>()
  const read = (title: string): DueDateReading | undefined => {
    const reading = reader?.readDueDate(title, { today: getToday(), dayFormat: getDayFormat() })
    return reading && reading.words === ignoredWords ? undefined : reading
  }
  /**
   * Guesses whether the due date of a restored draft was set because of its title, because the draft does not say so. If the title names
   * another date, the user has probably chosen to keep the title as typed, or has entered the due date. Then this function returns true,
   * because the due date must stay, and ignores these words of the title. The guess is wrong only if the title was not yet read when the
   * page was reloaded.
   */
  const readDraft = (title: string, dueDate: string): boolean => {
    titleOfDraft.current ??= title
    if (!reader || isDraftRead.current) return false
    isDraftRead.current = true
    const reading = read(titleOfDraft.current)
    if (!reading) return false
    if (reading.due_date === dueDate) dateFromTitle.current = dueDate
    else setIgnoredWords(reading.words)
    return reading.due_date !== dueDate
  }
  const forgetDraft = (): void => {
    titleOfDraft.current = undefined
    dateFromTitle.current = undefined
    setIgnoredWords(undefined)
  }
  return {
    read,
    ignore: ({ words }: DueDateReading): void => setIgnoredWords(words),
    /** Returns the due date of the form after the title has changed, or after a restored draft was discarded. */
    updateDueDate: (values: FieldValues, isDraftRestored: boolean): string => {
      const dueDate = toText(values['due_date'])
      const title = toText(values['title'])
      if (isDraftRestored && readDraft(title, dueDate)) return dueDate
      if (!isDraftRestored && titleOfDraft.current !== undefined) forgetDraft()
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

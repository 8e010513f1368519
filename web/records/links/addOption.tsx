import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { KindName } from '#contract/kinds.ts'
import type { LinkChoice, LinkSource } from '#web/lib/features.ts'
import { toastError } from '#web/lib/toasts.ts'
import classes from './addOption.module.css'

/** The value of the option that adds a record with the typed text as its title. The values of the other options are ids of records. */
export const addOptionValue = 'add'

/** The last option of a link field: “Create “Quillstone Dental””. */
export const makeAddOption = (title: string) => ({ value: addOptionValue, label: `Create “${title.trim()}”` })

export const AddOptionLabel = ({ label }: { label: string }) => (
  <span className={classes['option']} dir="auto">
    <IconPlus size={16} stroke={1.75} aria-hidden />
    {label}
  </span>
)

/**
 * Returns a function that adds a record with a title, and whether it is running. A failure shows a toast. `byTitle` is the part of the
 * kind's link source that adds records.
 */
export function useAddRecord(kind: KindName) {
  const [isAdding, setAdding] = useState(false)
  const addRecord = async (
    byTitle: Required<LinkSource>['byTitle'],
    title: string,
    onAdded: (choice: LinkChoice) => void,
  ): Promise<void> => {
    setAdding(true)
    try {
      onAdded(await byTitle.add(title.trim()))
    } catch (error) {
      toastError(error, `The ${kind} could not be added`)
    } finally {
      setAdding(false)
    }
  }
  return { isAdding, addRecord }
}

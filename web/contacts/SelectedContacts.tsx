import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { bulkLimit } from '#contract/contacts.ts'
import { count as inDigits, countOf } from '#web/lib/format.ts'
import { SelectionBar } from '#web/ui/SelectionBar.tsx'
import classes from './ContactsList.module.css'

type SelectedContactsProps = { count: number; onDelete: () => void; onClear: () => void }

/** What can be done with all that are selected. */
export function SelectedContacts({ count, onDelete, onClear }: SelectedContactsProps) {
  const tooMany = count > bulkLimit
  return (
    <SelectionBar count={inDigits(count)} onClear={onClear}>
      <Button
        variant="subtle"
        className={classes['delete'] ?? ''}
        leftSection={<IconTrash size={16} stroke={1.75} />}
        disabled={tooMany}
        onClick={onDelete}
      >
        {tooMany ? `Delete at most ${inDigits(bulkLimit)} at once` : `Delete ${countOf(count, 'contact')}`}
      </Button>
    </SelectionBar>
  )
}

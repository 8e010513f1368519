import '#web/ui/dialogs.css'
import { Button, Modal } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { FileRow } from '#contract/files.ts'
import { formatCount } from '#web/lib/format.ts'
import { describeError } from '#web/lib/toasts.ts'
import formClasses from '#web/ui/DialogForm.module.css'
import { SearchField } from '#web/ui/SearchField.tsx'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { useMoveEntries } from '../actions/useMoveEntries.ts'
import { toFileEntry } from '../kind/entries.ts'
import classes from './AttachDialog.module.css'
import { FileChoices } from './FileChoices.tsx'

/** Leaves out the files that are attachments of a contact already. */
const notAttached = [{ field: 'contact_id', empty: true }]

type AttachDialogProps = { contactId: string; contactName: string; onClose: () => void }

/** A dialog in which the user selects files of all folders. They are moved to a contact as its attachments. */
export function AttachDialog({ contactId, contactName, onClose }: AttachDialogProps) {
  const [search, setSearch] = useState('')
  const [selected, setSelected] = useState<ReadonlyMap<string, FileRow>>(new Map())
  const move = useMoveEntries()
  useReturnFocus()
  const toggle = (file: FileRow): void => {
    const next = new Map(selected)
    const wasSelected = next.delete(file.id)
    if (!wasSelected) next.set(file.id, file)
    setSelected(next)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (selected.size === 0) return
    const entries = [...selected.values()].map((file) => toFileEntry(file))
    move.mutate({ selected: { entries }, target: { contactId, name: contactName } }, { onSuccess: onClose })
  }
  return (
    <Modal opened onClose={onClose} title={`Attach files to ${contactName}`} size={480}>
      <div className={classes['search']}>
        <SearchField label="Search files" value={search} onSearch={setSearch} hasInitialFocus />
      </div>
      <form className={formClasses['form']} onSubmit={submit}>
        <FileChoices search={search.trim()} filter={notAttached} selected={selected} onToggle={toggle} />
        <p className={classes['remark']}>A file moves from its folder to the contact.</p>
        {move.error && (
          <p className={formClasses['error']} role="alert">
            {describeError(move.error)}
          </p>
        )}
        <div className={formClasses['actions']}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={move.isPending} disabled={selected.size === 0}>
            {selected.size === 0 ? 'Attach' : `Attach ${formatCount(selected.size, 'file')}`}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

import '#web/ui/dialogs.css'
import { Button, Modal } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { Reference } from '#contract/assistant.ts'
import type { FileRow } from '#contract/files.ts'
import { FileChoices } from '#web/files/attachments/FileChoices.tsx'
import { formatCount } from '#web/lib/format.ts'
import formClasses from '#web/ui/DialogForm.module.css'
import { SearchField } from '#web/ui/SearchField.tsx'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'

type ChooseFilesDialogProps = { onChoose: (files: readonly Reference[]) => void; onClose: () => void }

/** A dialog in which the user selects files of all folders and contacts for a message. */
export function ChooseFilesDialog({ onChoose, onClose }: ChooseFilesDialogProps) {
  const [search, setSearch] = useState('')
  const [selected, setSelected] = useState<ReadonlyMap<string, FileRow>>(new Map())
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
    onChoose([...selected.values()].map(({ id, file_name }) => ({ kind: 'file', id, title: file_name })))
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title="Attach files to the message" size={480}>
      <SearchField label="Search files" value={search} onSearch={setSearch} hasInitialFocus />
      <form className={formClasses['form']} onSubmit={submit}>
        <FileChoices search={search.trim()} filter={[]} selected={selected} onToggle={toggle} />
        <div className={formClasses['actions']}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={selected.size === 0}>
            {selected.size === 0 ? 'Attach' : `Attach ${formatCount(selected.size, 'file')}`}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

import { Button, Modal, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { readFileType } from '#contract/fileNames.ts'
import { ProblemError } from '#web/lib/client.ts'
import { describeError } from '#web/lib/toasts.ts'
import classes from '#web/ui/DialogForm.module.css'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'

type RenameDialogProps = {
  /** "Rename file" or "Rename folder". */
  title: string
  name: string
  /** The field of the request in which the server may refuse the name. */
  field: 'file_name' | 'name'
  /** Saves the name. Throws a `ProblemError`. */
  onSubmit: (name: string) => Promise<void>
  onClose: () => void
}

/** Asks for a new name. The dialog stays open until the name is saved. */
export function RenameDialog({ title, name: oldName, field, onSubmit, onClose }: RenameDialogProps) {
  const [name, setName] = useState(oldName)
  const [error, setError] = useState('')
  const [isSaving, setSaving] = useState(false)
  useReturnFocus()
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (name.trim() === '') return setError('Enter a name')
    if (name.trim() === oldName) return onClose()
    setSaving(true)
    try {
      await onSubmit(name.trim())
      onClose()
    } catch (failure) {
      const nameError = failure instanceof ProblemError ? failure.problem.fields?.[field] : undefined
      setError(nameError ?? describeError(failure))
      setSaving(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={title} size={440}>
      <form className={classes['form']} onSubmit={(event) => void submit(event)} noValidate>
        <TextInput
          label="Name"
          maxLength={255}
          data-autofocus
          value={name}
          error={error}
          onFocus={({ currentTarget: input }) => input.setSelectionRange(0, countStemCharacters(oldName))}
          onChange={({ currentTarget: input }) => {
            setName(input.value)
            setError('')
          }}
        />
        <div className={classes['actions']}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isSaving}>
            Rename
          </Button>
        </div>
      </form>
    </Modal>
  )
}

/** Returns the number of characters before the extension, which users seldom change. */
function countStemCharacters(name: string): number {
  const type = readFileType(name)
  return type === 'unknown' ? name.length : name.length - type.length - 1
}

import '#web/ui/dialogs.css'
import { Button, Modal, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { readFileType } from '#contract/fileNames.ts'
import { formatActor } from '#web/lib/actors.ts'
import { ProblemError } from '#web/lib/client.ts'
import { useSession } from '#web/lib/session.ts'
import { describeError, toast } from '#web/lib/toasts.ts'
import { getTheirValue, type Conflict } from '#web/records/form/conflicts.ts'
import classes from '#web/ui/DialogForm.module.css'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { useIsMounted } from '#web/ui/useIsMounted.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { Warning } from '#web/ui/Warning.tsx'

type RenameDialogProps = {
  kind: 'file' | 'folder'
  name: string
  /**
   * Saves the name. If somebody else renamed the record while the dialog was open, `version` is the version with that name, which the
   * dialog has shown; otherwise it is undefined. Throws `ProblemError`.
   */
  onSubmit: (name: string, version: number | undefined) => Promise<void>
  onClose: () => void
}

/**
 * Selects the name without its extension. Called when the field is mounted. Not a handler of focus, because the field also gets the focus
 * when its window becomes active again.
 */
const selectStem = (field: HTMLInputElement | null): void => field?.setSelectionRange(0, countStemCharacters(field.value))

/**
 * Asks for a new name. The dialog stays open until the name is saved. If somebody else has renamed the file or the folder in the meantime,
 * the dialog shows that name, and the user keeps it or renames again. After the dialog was closed, all errors are shown in a toast.
 */
export function RenameDialog({ kind, name: oldName, onSubmit, onClose }: RenameDialogProps) {
  const [name, setName] = useState(oldName)
  const [error, setError] = useState('')
  const [isSaving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<Conflict>()
  const isOpen = useIsMounted()
  useReturnFocus()
  /** The field of the request in which the server may refuse the name. */
  const field = kind === 'file' ? 'file_name' : 'name'
  const currentName = conflict ? String(getTheirValue(conflict, field)) : oldName
  const showError = (failure: unknown): void => {
    const problem = failure instanceof ProblemError ? failure.problem : undefined
    const message = problem?.fields?.[field] ?? describeError(failure)
    if (!isOpen.current) return toast({ kind: 'error', title: `Error renaming ${kind}`, message })
    if (problem?.conflict) setConflict(problem.conflict)
    setError(problem?.conflict ? '' : message)
  }
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (name.trim() === '') return setError('Enter a name')
    if (name.trim() === currentName) return onClose()
    setSaving(true)
    try {
      await onSubmit(name.trim(), conflict?.version)
      if (isOpen.current) onClose()
    } catch (failure) {
      showError(failure)
      setSaving(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={`Rename ${kind}`} size={440}>
      {conflict && <ConflictWarning key={conflict.version} name={currentName} conflict={conflict} />}
      <form className={classes['form']} onSubmit={(event) => void submit(event)} noValidate>
        <TextInput
          label="Name"
          maxLength={255}
          data-autofocus
          value={name}
          error={error}
          ref={selectStem}
          onChange={({ currentTarget: input }) => {
            setName(input.value)
            setError('')
          }}
        />
        <div className={classes['actions']}>
          <Button variant="default" onClick={onClose}>
            {conflict ? 'Keep that name' : 'Cancel'}
          </Button>
          <Button type="submit" loading={isSaving}>
            Rename
          </Button>
        </div>
      </form>
    </Modal>
  )
}

/** Says which name somebody else has saved. */
function ConflictWarning({ name, conflict }: { name: string; conflict: Conflict }) {
  const userId = useSession().user.id
  return (
    <Warning title={`The name is now “${name}”`}>
      Saved <RelativeTime at={conflict.at} /> by {formatActor(conflict, userId)}, after you opened this. Rename replaces it.
    </Warning>
  )
}

/** Returns the number of characters before the extension, which users seldom change. */
function countStemCharacters(name: string): number {
  const type = readFileType(name)
  return type === 'unknown' ? name.length : name.length - type.length - 1
}

import '#web/ui/dialogs.css'
import { Button, Modal, TextInput } from '@mantine/core'
import { useState, type FormEvent, type RefObject } from 'react'
import { ProblemError } from '#web/lib/client.ts'
import { describeError, toast } from '#web/lib/toasts.ts'
import classes from '#web/ui/DialogForm.module.css'
import { useIsMounted } from '#web/ui/useIsMounted.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'

type NameDialogProps = {
  /** The title and the label of the submit button: "Save view". */
  title: string
  /** The label of the submit button, if it differs from the title. */
  submitLabel?: string
  /** A text below the label of the name. */
  description?: string
  initialName?: string
  maxLength?: number
  /** Saves the name. Throws a `ProblemError` if the name is not allowed. */
  onSubmit: (name: string) => Promise<void>
  /**
   * The title of a toast for errors that are not about the name. Without it, all errors are shown at the field. After the dialog was closed,
   * all errors are shown in a toast.
   */
  errorTitle?: string
  /** Disables the submit button while the name is empty. */
  requiresName?: boolean
  onClose: () => void
  /** The button that receives the focus when the dialog closes, if the element that had the focus before no longer exists. */
  opener?: RefObject<HTMLElement | null>
}

/** Called when the field is mounted, not on focus: the caret must stay where it is when the user returns to the window. */
const selectText = (field: HTMLInputElement | null): void => field?.select()

/** Asks for the name of a view or a folder. The dialog stays open until the name is saved. */
export function NameDialog(props: NameDialogProps) {
  const { title, submitLabel = title, description, initialName = '', maxLength = 100 } = props
  const { onSubmit, errorTitle, requiresName = false, onClose, opener } = props
  const [name, setName] = useState(initialName)
  const [error, setError] = useState('')
  const [isSaving, setSaving] = useState(false)
  const isOpen = useIsMounted()
  useReturnFocus(opener)
  const showError = (failure: unknown): void => {
    const nameError = failure instanceof ProblemError ? failure.problem.fields?.['name'] : undefined
    const message = nameError ?? describeError(failure)
    if (isOpen.current && (nameError !== undefined || errorTitle === undefined)) return setError(message)
    toast({ kind: 'error', title: errorTitle ?? 'Error', message })
  }
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (name.trim() === '') return setError('Enter a name')
    setSaving(true)
    try {
      await onSubmit(name.trim())
      if (isOpen.current) onClose()
    } catch (failure) {
      showError(failure)
      setSaving(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={title} size={400}>
      <form className={classes['form']} onSubmit={(event) => void submit(event)} noValidate>
        <TextInput
          label="Name"
          description={description}
          maxLength={maxLength}
          data-autofocus
          value={name}
          error={error}
          ref={selectText}
          onChange={(event) => {
            setName(event.currentTarget.value)
            setError('')
          }}
        />
        <div className={classes['actions']}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isSaving} disabled={requiresName && name.trim() === ''}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

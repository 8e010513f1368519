import { Button, Modal, TextInput } from '@mantine/core'
import { useState, type FormEvent, type RefObject } from 'react'
import { ProblemError } from '#web/lib/client.ts'
import { describeError } from '#web/lib/toasts.ts'
import classes from '#web/ui/DialogForm.module.css'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'

type ViewNameDialogProps = {
  /** The title and the label of the submit button: "Save view". */
  title: string
  /** A text below the label of the name. */
  description?: string
  initialName?: string
  /** Saves the name. Throws a `ProblemError` if the name is not allowed. */
  onSubmit: (name: string) => Promise<void>
  onClose: () => void
  /** The button that receives the focus when the dialog closes. */
  opener: RefObject<HTMLElement | null>
}

/** Asks for the name of a view. The dialog stays open until the name is saved. */
export function ViewNameDialog({ title, description, initialName = '', onSubmit, onClose, opener }: ViewNameDialogProps) {
  const [name, setName] = useState(initialName)
  const [error, setError] = useState('')
  const [isSaving, setSaving] = useState(false)
  useReturnFocus(opener)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (name.trim() === '') return setError('Enter a name')
    setSaving(true)
    try {
      await onSubmit(name.trim())
      onClose()
    } catch (failure) {
      const nameError = failure instanceof ProblemError ? failure.problem.fields?.['name'] : undefined
      setError(nameError ?? describeError(failure))
      setSaving(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={title} size={400}>
      <form className={classes['form']} onSubmit={(event) => void submit(event)} noValidate>
        <TextInput
          label="Name"
          description={description}
          maxLength={100}
          data-autofocus
          value={name}
          error={error}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => {
            setName(event.currentTarget.value)
            setError('')
          }}
        />
        <div className={classes['actions']}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isSaving}>
            {title}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

import { Button, Modal, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { ProblemError } from '#web/lib/client.ts'
import { sentenceOf } from '#web/lib/toasts.ts'
import classes from '#web/records/many/ManyDialogs.module.css'
import type { ListSearch } from '#web/records/list/listSearch.ts'
import { saveView, type ViewedKind } from './views.ts'

type SaveViewDialogProps = { kind: ViewedKind; search: ListSearch; onClose: () => void }

/** Asks for the name under which a view is saved. */
export function SaveViewDialog({ kind, search, onClose }: SaveViewDialogProps) {
  const [name, setName] = useState('')
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (name.trim() === '') return setError('Enter a name')
    setBusy(true)
    try {
      await saveView(kind, name.trim(), search)
      onClose()
    } catch (failure) {
      setError((failure instanceof ProblemError && failure.problem.fields?.['name']) || sentenceOf(failure))
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title="Save view" size={400}>
      <form className={classes['form']} onSubmit={(event) => void submit(event)} noValidate>
        <TextInput
          label="Name"
          description="Search, filters, sort and columns are kept. A view of the same name is replaced."
          maxLength={100}
          data-autofocus
          value={name}
          error={error}
          onChange={(event) => {
            setName(event.currentTarget.value)
            setError('')
          }}
        />
        <div className={classes['actions']}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Save view
          </Button>
        </div>
      </form>
    </Modal>
  )
}

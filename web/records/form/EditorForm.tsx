import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useMemo, type ComponentProps } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { toastError } from '#web/lib/toasts.ts'
import { useLeaveGuard } from '#web/ui/leaveGuard.tsx'
import type { EditableKind } from '#web/records/kind/kind.ts'
import { fieldsInConflict } from './conflicts.ts'
import classes from './EditorForm.module.css'
import type { FieldValues } from './fields.ts'
import { recordForm, type SavedRecord } from './recordForm.ts'
import { useRecordEditor, type RecordEditor } from './useRecordEditor.ts'

type EditorFormOptions<Full extends SavedRecord> = {
  kind: EditableKind<Full>
  /** The record to edit; undefined to add one. */
  record?: Full | undefined
  /** The initial values of a new record. */
  prefilled?: FieldValues
  /** Called when everything is saved; closes the form. */
  onSaved: () => void
  /** Called when a new record was saved and the user has typed more since; opens the edit form of the record. */
  onCreated: (id: string) => void
}

/** The state of a record form on a page or in a dialog. Render `question`: it asks for confirmation before unsaved changes are discarded. */
export function useEditorForm<Full extends SavedRecord>({ kind, record, prefilled, onSaved, onCreated }: EditorFormOptions<Full>) {
  const form = useMemo(() => recordForm(kind), [kind])
  const editor = useRecordEditor(form, record, prefilled)
  const { free, leave, question } = useLeaveGuard(editor.dirty, editor.forget)
  const save = (options: Parameters<typeof editor.save>[1] = {}) =>
    editor.save((hasNewChanges, id) => {
      if (hasNewChanges && record) return
      free()
      if (hasNewChanges && id) onCreated(id)
      else onSaved()
    }, options)
  return { noun: kind.singular, editor, save, leave, question }
}

export type EditorFormState = ReturnType<typeof useEditorForm>

export const EditorForm = ({ form: { save }, ...props }: { form: EditorFormState } & ComponentProps<'form'>) => (
  <form
    {...props}
    className={classes['form']}
    noValidate
    autoComplete="off"
    onSubmit={(event) => {
      event.preventDefault()
      event.stopPropagation()
      save()
    }}
  />
)

export const EditorButtons = ({ form: { noun, editor }, onCancel }: { form: EditorFormState; onCancel: () => void }) => (
  <>
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
    <Button type="submit" loading={editor.saving} title={`Save ${noun} (Ctrl Enter)`}>
      Save {noun}
    </Button>
  </>
)

/** Shows the number of conflicting fields without a choice: "1 choice to make". */
export function OpenChoices({ editor: { conflict, choices, labels } }: { editor: RecordEditor }) {
  const open = conflict ? fieldsInConflict(conflict, labels).filter((field) => !choices[field]) : []
  if (open.length === 0) return null
  return (
    <span className={classes['choices']}>
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
      {formatCount(open.length, 'choice')} to make
    </span>
  )
}

/** Returns a function that goes back in the browser history, or to `address` if the form was the first page. */
export function useBackOr(): (address: string) => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const navigate = useNavigate()
  return (address) => {
    if (canGoBack) router.history.back()
    else void navigate({ href: address, replace: true })
  }
}

/** Opens the list and shows a toast if the record to edit cannot be loaded. Returns true in that case. */
export function useListOnFailure({ data, error }: UseQueryResult<SavedRecord>, list: string): boolean {
  const navigate = useNavigate()
  const failure = data === undefined ? error : null
  useEffect(() => {
    if (!failure) return
    toastError(failure)
    void navigate({ to: list, replace: true })
  }, [failure, navigate, list])
  return failure !== null
}

import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useCanGoBack, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState, type ComponentProps } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { toastError } from '#web/lib/toasts.ts'
import type { EditableKind } from '#web/records/kind/kind.ts'
import { getFieldsToChoose } from './conflicts.ts'
import classes from './EditorForm.module.css'
import type { FieldValues } from './fields.ts'
import { createRecordForm, type SavedRecord } from './recordForm.ts'
import { useUnsavedChangesGuard } from './unsavedChangesGuard.tsx'
import { useRecordEditor, type RecordEditor } from './useRecordEditor.ts'

type EditorFormOptions<Full extends SavedRecord> = {
  kind: EditableKind<Full>
  /** The record to edit; undefined in the form of a new record. */
  record?: Full | undefined
  /** The initial values of a new record. */
  prefilledFields?: FieldValues
  /** Called when everything is saved. Closes the form. */
  onSaved: () => void
  /** Only for a new record. Called when it was saved but the user has typed more since then. Opens the edit form of the record. */
  onCreatedWithUnsavedChanges?: ((id: string) => void) | undefined
}

/** The state of a record form. The caller must render `confirmation`, a dialog that asks before unsaved changes are discarded. */
export function useEditorForm<Full extends SavedRecord>({
  kind,
  record,
  prefilledFields,
  onSaved,
  onCreatedWithUnsavedChanges,
}: EditorFormOptions<Full>) {
  const form = useMemo(() => createRecordForm(kind), [kind])
  const search = useSearch({ strict: false })
  // the draft of a new record has the URL parameters in its name, and not the prefilled values, which may be other ones after a reload, such
  // as the next full hour
  const [newRecordDraftKeys] = useState(() => [JSON.stringify(search)])
  const editor = useRecordEditor(form, record, prefilledFields, newRecordDraftKeys)
  const { allowLeaving, confirmAndRun, confirmation } = useUnsavedChangesGuard(editor.hasUnsavedChanges, editor.startOver)
  const save = (options: Parameters<typeof editor.save>[1] = {}) =>
    editor.save((hasTypedDuringSave, id) => {
      if (hasTypedDuringSave && record) return // the form stays open
      allowLeaving()
      if (hasTypedDuringSave && id && onCreatedWithUnsavedChanges) onCreatedWithUnsavedChanges(id)
      else onSaved()
    }, options)
  return { noun: kind.singular, editor, save, confirmAndRun, confirmation }
}

export type EditorFormState = ReturnType<typeof useEditorForm>

/** The form element. Enter saves, without also submitting an outer form. */
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

/** The buttons at the end of the form. */
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

/** Shows for how many conflicting fields the user has not selected a value: "1 choice to make". */
export function UnresolvedConflicts({ editor: { conflict, choices, labels } }: { editor: RecordEditor }) {
  const remaining = conflict ? getFieldsToChoose(conflict, labels).filter((field) => !choices[field]) : []
  if (remaining.length === 0) return null
  return (
    <span className={classes['choices']}>
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
      {formatCount(remaining.length, 'choice')} to make
    </span>
  )
}

/** Returns a function that goes back in the browser history. If the form was the first page, it opens `address` instead. */
export function useGoBackOr(): (address: string) => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const navigate = useNavigate()
  return (address) => {
    if (canGoBack) router.history.back()
    else void navigate({ href: address, replace: true })
  }
}

/** If the record to edit cannot be loaded, opens the list and shows a toast. Returns true in that case. */
export function useOpenListOnFailure({ data, error }: UseQueryResult<SavedRecord>, listAddress: string): boolean {
  const navigate = useNavigate()
  const failure = data === undefined ? error : null
  useEffect(() => {
    if (!failure) return
    toastError(failure)
    void navigate({ to: listAddress, replace: true })
  }, [failure, navigate, listAddress])
  return failure !== null
}

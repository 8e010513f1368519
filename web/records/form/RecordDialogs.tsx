import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { toastError } from '#web/lib/toasts.ts'
import type { FieldValues } from './fields.ts'
import { RecordDialog, WaitingDialog } from './RecordDialog.tsx'
import { useFocusBack } from '#web/records/useFocusBack.ts'
import type { RecordEditor, FormKind } from './useRecordEditor.ts'
import { useWayBack } from '#web/records/useWayBack.ts'

type Kept = { id: string; version: number }
type DialogProps<Row extends Kept> = {
  kind: FormKind<Row>
  /** Where the list stands: "/crm/deals". */
  path: string
}

type AddDialogProps<Row extends Kept> = DialogProps<Row> & {
  prefilled?: FieldValues
  /** The address of what the record is added to: where closing leads when nothing lies before the dialog. */
  addedTo?: string | undefined
  children: (editor: RecordEditor) => ReactNode
}

/** The dialog of a new record, at the address `path/new`. */
export function AddDialog<Row extends Kept>({ kind, path, prefilled = {}, addedTo = path, children }: AddDialogProps<Row>) {
  const navigate = useNavigate()
  const close = useWayBack(addedTo)
  useFocusBack()
  return (
    <RecordDialog
      kind={kind}
      prefilled={prefilled}
      onClose={close}
      onGoOn={(id) => void navigate({ to: `${path}/${id}/edit`, replace: true })}
    >
      {children}
    </RecordDialog>
  )
}

/** The dialog of a record that is there, at the address `path/ID/edit`. One that cannot be loaded is told in a toast, over the list. */
export function EditDialog<Row extends Kept>(
  props: DialogProps<Row> & { record: UseQueryResult<Row>; children: (editor: RecordEditor, record: Row) => ReactNode },
) {
  const { kind, path, record, children } = props
  const close = useWayBack(path)
  useFocusBack()
  const navigate = useNavigate()
  const { data, error } = record
  const [waited] = useState(data === undefined)
  const failed = data === undefined && error
  useEffect(() => {
    if (!failed) return
    toastError(failed)
    void navigate({ to: path, replace: true })
  }, [failed, navigate, path])
  if (!data) return failed ? null : <WaitingDialog title={`Edit ${kind.name}`} onClose={close} />
  return (
    <RecordDialog kind={kind} record={data} waited={waited} onClose={close} onGoOn={close}>
      {(editor) => children(editor, data)}
    </RecordDialog>
  )
}

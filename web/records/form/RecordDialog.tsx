import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode, type KeyboardEvent } from 'react'
import { useNavigate, useCanGoBack, useRouter } from '@tanstack/react-router'
import { toastError } from '#web/lib/toasts.ts'
import type { FieldValues } from './fields.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { useRecordEditor, type RecordEditor, type FormKind } from './useRecordEditor.ts'
import { Button, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { countOf } from '#web/lib/format.ts'
import { useLeaveGuard } from '#web/ui/leaveGuard.tsx'
import { ConflictBanner, DeletedBanner, DraftNote } from './EditorBanners.tsx'
import { fieldsInConflict } from './conflicts.ts'
import classes from './RecordDialog.module.css'

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
  useReturnFocus()
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
  useReturnFocus()
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

/** Leads from a dialog back to where it was opened; where nothing lies before it, to `address`: its list, or what it belongs to. */
export function useWayBack(address: string): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const navigate = useNavigate()
  return () => {
    if (canGoBack) router.history.back()
    else void navigate({ href: address, replace: true })
  }
}

type RecordDialogProps<Row extends { id: string; version: number }> = {
  kind: FormKind<Row>
  /** The record that is edited; none when one is added. */
  record?: Row | undefined
  /** What a new one begins with. */
  prefilled?: FieldValues
  /** It stands there already, with its record on its way: it need not come in once more. */
  waited?: boolean
  /** Leads back to where the dialog was opened. */
  onClose: () => void
  /** Something more was typed into a new record while it was saved: leads to its own dialog. */
  onGoOn: (id: string) => void
  children: (editor: RecordEditor) => ReactNode
}

/** Adds or edits a record over its list. Enter and Ctrl/Cmd+Enter save; nothing typed is lost without a question. */
export function RecordDialog<Row extends { id: string; version: number }>(props: RecordDialogProps<Row>) {
  const { kind, record, prefilled, waited = false, onClose, onGoOn, children } = props
  const editor = useRecordEditor(kind, record, prefilled)
  const guard = useLeaveGuard(editor.dirty, editor.forget)
  const save = (how: Parameters<typeof editor.save>[1] = {}) =>
    editor.save((goesOn, id) => {
      if (goesOn && record) return
      guard.free()
      if (goesOn && id) onGoOn(id)
      else onClose()
    }, how)
  const leave = () => guard.leave(onClose)
  const saveByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
    event.preventDefault()
    save()
  }
  return (
    <>
      <DialogFrame title={`${record ? 'Edit' : 'Add'} ${kind.name}`} asking={guard.question !== false} waited={waited} onClose={leave}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the fields in it */}
        <form
          className={classes['form']}
          noValidate
          autoComplete="off"
          onKeyDown={saveByKey}
          onSubmit={(event) => {
            event.preventDefault()
            event.stopPropagation()
            save()
          }}
        >
          <div className={classes['fields']}>
            {editor.draftFound && <DraftNote onStartOver={editor.startOver} />}
            <DeletedBanner editor={editor} noun={kind.name} onRestore={() => save({ restore: true })} />
            <ConflictBanner editor={editor} />
            {children(editor)}
          </div>
          <div className={classes['foot']}>
            <Choices editor={editor} />
            <Button variant="default" onClick={leave}>
              Cancel
            </Button>
            <Button type="submit" loading={editor.saving} title={`Save ${kind.name} (Ctrl Enter)`}>
              Save {kind.name}
            </Button>
          </div>
        </form>
      </DialogFrame>
      {guard.question}
    </>
  )
}

type DialogFrameProps = { title: string; asking?: boolean; waited?: boolean; onClose: () => void; children: ReactNode }

/** The window of a dialog; the whole screen on phones. `asking`: a question stands over it, to which Escape belongs. */
function DialogFrame({ title, asking = false, waited = false, onClose, children }: DialogFrameProps) {
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={560}
      fullScreen={isPhone}
      className={classes['dialog'] ?? ''}
      closeOnEscape={!asking}
      closeOnClickOutside={!asking}
      transitionProps={{ duration: waited ? 0 : 120 }}
    >
      {children}
    </Modal>
  )
}

/** The dialog while its record is on its way. */
export const WaitingDialog = ({ title, onClose }: { title: string; onClose: () => void }) => (
  <DialogFrame title={title} onClose={onClose}>
    <output className={classes['waiting']} aria-label="Loading">
      {['first', 'second', 'third', 'fourth'].map((bar) => (
        <span key={bar} />
      ))}
    </output>
  </DialogFrame>
)

function Choices({ editor: { conflict, choices, labels } }: { editor: RecordEditor }) {
  const open = conflict ? fieldsInConflict(conflict, labels).filter((field) => !choices[field]) : []
  if (open.length === 0) return null
  return (
    <span className={classes['choices']}>
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
      {countOf(open.length, 'choice')} to make
    </span>
  )
}

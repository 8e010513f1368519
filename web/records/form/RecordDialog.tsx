import '#web/ui/dialogs.css'
import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { useOpening } from '#web/lib/openings.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { getEditAddress, type EditableKind } from '#web/records/kind/kind.ts'
import { recordQuery } from '#web/records/kind/queries.ts'
import { EditorBanners } from './EditorBanners.tsx'
import { EditorButtons, EditorForm, UnresolvedConflicts, useGoBackOr, useEditorForm, useOpenListOnFailure } from './EditorForm.tsx'
import type { FieldValues } from './fields.ts'
import classes from './RecordDialog.module.css'
import type { SavedRecord } from './recordForm.ts'
import type { RecordEditor } from './useRecordEditor.ts'

type AddDialogProps<Full extends SavedRecord> = {
  kind: EditableKind<Full>
  prefilledFields?: FieldValues
  /** The dialog returns to the previous page. If there is none, it opens this URL, by default the URL of the list. */
  returnAddress?: string | undefined
  /** Called when the user saves. The returned values replace the typed ones. */
  completeValues?: (values: FieldValues, editor: RecordEditor) => FieldValues
  children: (editor: RecordEditor) => ReactNode
}

/** Adds a record in a dialog over its list, at the URL `path/new`. */
export function AddDialog<Full extends SavedRecord>({
  kind,
  prefilledFields = {},
  returnAddress = kind.path,
  completeValues,
  children,
}: AddDialogProps<Full>) {
  const navigate = useNavigate()
  const goBackOr = useGoBackOr()
  useReturnFocus()
  return (
    <RecordDialog
      kind={kind}
      prefilledFields={prefilledFields}
      completeValues={completeValues}
      onClose={() => goBackOr(returnAddress)}
      onCreatedWithUnsavedChanges={(id) => void navigate({ to: getEditAddress(kind, id), replace: true })}
    >
      {children}
    </RecordDialog>
  )
}

type EditDialogProps<Full extends SavedRecord> = { kind: EditableKind<Full>; children: (editor: RecordEditor, record: Full) => ReactNode }

/** Edits a record in a dialog over its list, at the URL `path/ID/edit`. Then opens the previous page, or else the panel of the record. */
export function EditDialog<Full extends SavedRecord>({ kind, children }: EditDialogProps<Full>) {
  const { id = '' } = useParams({ strict: false })
  const record = useQuery(recordQuery(kind, id))
  const goBackOr = useGoBackOr()
  const { searchStr } = useLocation()
  const close = () => goBackOr(`${kind.path}/${id}${searchStr}`)
  useReturnFocus()
  const { data } = record
  const [wasWaiting] = useState(data === undefined) // the first render has shown `WaitingDialog`
  const hasFailed = useOpenListOnFailure(record, kind.path)
  if (!data) return hasFailed ? null : <WaitingDialog title={`Edit ${kind.singular}`} onClose={close} />
  return (
    <RecordDialog key={data.id} kind={kind} record={data} isAlreadyVisible={wasWaiting} onClose={close}>
      {(editor) => children(editor, data)}
    </RecordDialog>
  )
}

type RecordDialogProps<Full extends SavedRecord> = {
  kind: EditableKind<Full>
  record?: Full | undefined
  prefilledFields?: FieldValues
  completeValues?: ((values: FieldValues, editor: RecordEditor) => FieldValues) | undefined
  /** The dialog was visible while its record was loaded, so it does not fade in again. */
  isAlreadyVisible?: boolean
  onClose: () => void
  /** Only for a new record. Called when it was saved but the user has typed more since then. Opens the edit form of the record. */
  onCreatedWithUnsavedChanges?: (id: string) => void
  children: (editor: RecordEditor) => ReactNode
}

function RecordDialog<Full extends SavedRecord>(props: RecordDialogProps<Full>) {
  const {
    kind,
    record,
    prefilledFields = {},
    completeValues,
    isAlreadyVisible = false,
    onClose,
    onCreatedWithUnsavedChanges,
    children,
  } = props
  const editorForm = useEditorForm({ kind, record, prefilledFields, onSaved: onClose, onCreatedWithUnsavedChanges })
  const save: typeof editorForm.save = (options) => {
    const { getValues, setValues } = editorForm.editor.form
    if (completeValues) setValues(completeValues(getValues(), editorForm.editor))
    editorForm.save(options)
  }
  const dialogForm = { ...editorForm, save }
  const cancel = () => dialogForm.confirmAndRun(onClose)
  const saveOnCtrlEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
    event.preventDefault()
    dialogForm.save()
  }
  return (
    <>
      <DialogFrame
        title={`${record ? 'Edit' : 'Add'} ${kind.singular}`}
        isCovered={dialogForm.confirmation !== false}
        isAlreadyVisible={isAlreadyVisible}
        onClose={cancel}
      >
        <EditorForm form={dialogForm} onKeyDown={saveOnCtrlEnter}>
          <div className={classes['fields']}>
            <EditorBanners form={dialogForm} />
            {children(dialogForm.editor)}
          </div>
          <div className={classes['footer']}>
            <UnresolvedConflicts editor={dialogForm.editor} />
            <EditorButtons form={dialogForm} onCancel={cancel} />
          </div>
        </EditorForm>
      </DialogFrame>
      {dialogForm.confirmation}
    </>
  )
}

type DialogFrameProps = {
  title: string
  /** A confirmation is open over the dialog and handles Escape. */
  isCovered?: boolean
  isAlreadyVisible?: boolean
  onClose: () => void
  children: ReactNode
}

const fadeInMs = 120

/** The frame of the dialog, which fills the screen on phones. */
function DialogFrame({ title, isCovered = false, isAlreadyVisible = false, onClose, children }: DialogFrameProps) {
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={560}
      fullScreen={isPhone}
      className={classes['dialog'] ?? ''}
      closeOnEscape={!isCovered}
      closeOnClickOutside={!isCovered}
      transitionProps={{ duration: isAlreadyVisible ? 0 : fadeInMs }}
    >
      {children}
    </Modal>
  )
}

/** Shown while the record to edit is being loaded. */
function WaitingDialog({ title, onClose }: { title: string; onClose: () => void }) {
  useOpening(onClose) // keys that the user presses wait for the form; Escape closes the dialog
  return (
    <DialogFrame title={title} onClose={onClose}>
      <output className={classes['waiting']} aria-label="Loading">
        {['first', 'second', 'third', 'fourth'].map((bar) => (
          <span key={bar} />
        ))}
      </output>
    </DialogFrame>
  )
}

import { Button, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { countOf } from '#web/lib/format.ts'
import { useLeaveGuard } from '#web/ui/leaveGuard.tsx'
import { ConflictBanner } from './ConflictBanner.tsx'
import { fieldsInConflict } from './conflicts.ts'
import { DeletedBanner } from './DeletedBanner.tsx'
import { DraftNote } from './DraftNote.tsx'
import type { FieldValues } from './fields.ts'
import classes from './RecordDialog.module.css'
import { useRecordEditor, type RecordEditor, type FormKind } from './useRecordEditor.ts'

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

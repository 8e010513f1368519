import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import type { Contact } from '#contract/contacts.ts'
import { countOf } from '#web/lib/format.ts'
import { useActions } from '#web/lib/actions.ts'
import { useLeaveGuard } from '#web/ui/leaveGuard.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { SaveBar } from '#web/ui/SaveBar.tsx'
import { ConflictBanner, DeletedBanner, DraftNote } from '#web/records/form/EditorBanners.tsx'
import { fieldsInConflict } from '#web/records/form/conflicts.ts'
import type { FieldValues } from '#web/records/form/fields.ts'
import { useRecordEditor } from '#web/records/form/useRecordEditor.ts'
import { contactKind } from './contactKind.ts'
import { ContactFieldsets } from './ContactFieldsets.tsx'
import classes from './ContactForm.module.css'
import { DuplicateWarning } from './DuplicateWarning.tsx'

type ContactFormProps = {
  /** The contact that is edited; nobody when one is added. */
  contact?: Contact
  title: string
  breadcrumb: ReactNode[]
  /** What a new contact begins with. */
  prefilled?: FieldValues
  /** Goes on after saving. */
  onSaved: () => void
}

/** Adds or edits a contact. Nothing typed is lost without a question. */
export function ContactForm({ contact, title, breadcrumb, prefilled, onSaved }: ContactFormProps) {
  const navigate = useNavigate()
  const editor = useRecordEditor(contactKind, contact, prefilled)
  const guard = useLeaveGuard(editor.dirty, editor.forget)
  const save = (how: Parameters<typeof editor.save>[1] = {}) =>
    editor.save((goesOn, id) => {
      if (goesOn && contact) return
      guard.free()
      if (goesOn && id) void navigate({ to: '/crm/contacts/edit/$id', params: { id }, replace: true })
      else onSaved()
    }, how)
  const cancel = () => void navigate({ to: '/crm/contacts' })
  useActions([
    { keys: 'mod+Enter', label: 'Save contact', whileTyping: true, run: () => save() },
    { keys: 'Escape', label: 'Cancel', whileTyping: true, run: cancel },
  ])
  const first = useFocusAtStart(contact === undefined)
  const { conflict, matches } = editor
  const open = conflict ? fieldsInConflict(conflict, editor.labels).filter((field) => !editor.choices[field]) : []

  return (
    <>
      <PageBar title={title} breadcrumb={breadcrumb} />
      <form
        ref={first}
        className={classes['form']}
        noValidate
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <div className={classes['body']}>
          <div className={classes['column']}>
            {editor.draftFound && <DraftNote onStartOver={editor.startOver} />}
            {matches && <DuplicateWarning matches={matches} saving={editor.saving} onAddAnyway={() => save({ allowDuplicate: true })} />}
            <DeletedBanner editor={editor} noun="contact" onRestore={() => save({ restore: true })} />
            <ConflictBanner editor={editor} one={(field) => (field.endsWith('phone') ? 'which number' : 'which one')} />
            <ContactFieldsets editor={editor} contact={contact} />
          </div>
        </div>
        <SaveBar note={open.length > 0 && <Choices count={open.length} />}>
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={editor.saving} title="Save contact (Ctrl Enter)">
            Save contact
          </Button>
        </SaveBar>
      </form>
      {guard.question}
    </>
  )
}

const Choices = ({ count }: { count: number }) => (
  <span className={classes['choices']}>
    <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
    {countOf(count, 'choice')} to make
  </span>
)

/** A new contact begins with the first name. */
function useFocusAtStart(wanted: boolean) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (wanted) form.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [wanted])
  return form
}

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react'
import { useActions } from '#web/lib/actions.ts'
import { useOpening } from '#web/lib/openings.ts'
import { BackToList } from '#web/records/kind/BackToList.tsx'
import { getEditAddress, type EditableKind } from '#web/records/kind/kind.ts'
import { recordQuery } from '#web/records/kind/queries.ts'
import { PageBar } from '#web/ui/PageBar.tsx'
import { SaveBar } from '#web/ui/SaveBar.tsx'
import { EditorBanners } from './EditorBanners.tsx'
import { EditorButtons, EditorForm, UnresolvedConflicts, useGoBackOr, useEditorForm, useOpenListOnFailure } from './EditorForm.tsx'
import type { FieldValues } from './fields.ts'
import classes from './RecordFormPage.module.css'
import type { SavedRecord } from './recordForm.ts'
import { useReturnToOpener } from './returnToOpener.ts'
import type { RecordEditor } from './useRecordEditor.ts'

type AddPageProps<Full extends SavedRecord> = {
  kind: EditableKind<Full>
  /** The initial values of a new record; undefined while they are being loaded. */
  prefilledFields: FieldValues | undefined
  children: (editor: RecordEditor) => ReactNode
}

/** A page that adds a record and then opens the list. */
export function AddPage<Full extends SavedRecord>({ kind, prefilledFields, children }: AddPageProps<Full>) {
  const navigate = useNavigate()
  useReturnToOpener()
  const title = `Add ${kind.singular}`
  if (!prefilledFields) return <FormPageSkeleton title={title} kind={kind} />
  const openList = () => void navigate({ to: kind.path })
  return (
    <FormPage
      title={title}
      kind={kind}
      prefilledFields={prefilledFields}
      onCancel={openList}
      onSaved={openList}
      onCreatedWithUnsavedChanges={(id) => void navigate({ to: getEditAddress(kind, id), replace: true })}
    >
      {children}
    </FormPage>
  )
}

type EditPageProps<Full extends SavedRecord> = { kind: EditableKind<Full>; children: (editor: RecordEditor, record: Full) => ReactNode }

/** A page that edits the record of the URL. Save, Cancel and Escape open the previous page, or else the record. */
export function EditPage<Full extends SavedRecord>({ kind, children }: EditPageProps<Full>) {
  const { id = '' } = useParams({ strict: false })
  const record = useQuery(recordQuery(kind, id))
  const goBackOr = useGoBackOr()
  useReturnToOpener(id)
  useOpenListOnFailure(record, kind.path)
  const { data } = record
  if (!data) return <FormPageSkeleton title="Edit" kind={kind} />
  const goBack = () => goBackOr(`${kind.path}/${data.id}`)
  return (
    <FormPage key={data.id} title="Edit" kind={kind} record={data} onCancel={goBack} onSaved={goBack}>
      {(editor) => children(editor, data)}
    </FormPage>
  )
}

type PageProps<Full extends SavedRecord> = {
  kind: EditableKind<Full>
  title: string
  record?: Full
  prefilledFields?: FieldValues
  onCancel: () => void
  onSaved: () => void
  /** Only for a new record. Called when it was saved but the user has typed more since then. Opens the edit form of the record. */
  onCreatedWithUnsavedChanges?: (id: string) => void
  children: (editor: RecordEditor) => ReactNode
}

function FormPage<Full extends SavedRecord>({ title, onCancel, children, ...options }: PageProps<Full>) {
  const { kind, record } = options
  const form = useEditorForm(options)
  const cancel = () => form.confirmAndRun(onCancel)
  useActions([
    // `mod` is Ctrl, on a Mac Cmd
    { keys: 'mod+Enter', label: `Save ${kind.singular}`, worksWhileTyping: true, run: () => form.save() },
    { keys: 'Escape', label: 'Cancel', worksWhileTyping: true, run: cancel },
  ])
  const fields = useFocusOnFirstField()
  const listLink = <BackToList key="list" kind={kind} />
  return (
    <>
      <PageBar title={title} breadcrumb={record ? [listLink, <RecordLink key="record" record={record} kind={kind} />] : [listLink]} />
      <EditorForm form={form}>
        <div className={classes['scroller']}>
          <div ref={fields} className={classes['fields']}>
            <EditorBanners form={form} />
            {children(form.editor)}
          </div>
        </div>
        <SaveBar note={<UnresolvedConflicts editor={form.editor} />}>
          <EditorButtons form={form} onCancel={cancel} />
        </SaveBar>
      </EditorForm>
      {form.confirmation}
    </>
  )
}

/** The link to the record in the breadcrumb. */
function RecordLink<Full extends SavedRecord>({ record, kind: { path, titleOf } }: { record: Full; kind: EditableKind<Full> }) {
  const address: string = `${path}/${record.id}`
  return (
    <Link to={address} title={titleOf(record)}>
      {titleOf(record)}
    </Link>
  )
}

/** Moves the focus to the first input when the page opens. Returns the ref of the element that contains the inputs. */
function useFocusOnFirstField() {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => fields.current?.querySelector('input')?.focus({ preventScroll: true }), [])
  return fields
}

/** A placeholder with the size of the form, so that the layout does not shift when the fields appear. */
function FormPageSkeleton({ title, kind }: { title: string; kind: ComponentProps<typeof BackToList>['kind'] }) {
  useOpening() // keys that the user presses wait for the form
  return (
    <>
      <PageBar title={title} breadcrumb={[<BackToList key="list" kind={kind} />]} />
      <output className={classes['skeleton']} aria-label="Loading">
        {['half', 'half', 'whole', 'whole', 'whole', 'half', 'half', 'whole'].map((width, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the bars never change
          <span key={index} data-width={width} />
        ))}
      </output>
    </>
  )
}

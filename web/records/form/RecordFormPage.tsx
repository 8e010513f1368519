import type { UseQueryResult } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { useActions } from '#web/lib/actions.ts'
import { BackToList, type RecordPages } from '#web/records/kind/BackToList.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { SaveBar } from '#web/ui/SaveBar.tsx'
import { EditorBanners } from './EditorBanners.tsx'
import {
  EditorButtons,
  EditorForm,
  OpenChoices,
  useBackOr,
  useEditorForm,
  useListOnFailure,
  type RecordFormKind,
  type SavedRecord,
} from './EditorForm.tsx'
import type { FieldValues } from './fields.ts'
import classes from './RecordFormPage.module.css'
import type { RecordEditor } from './useRecordEditor.ts'

type FormPageProps<Row extends SavedRecord> = { kind: RecordFormKind<Row>; pages: RecordPages<Row> }

type AddPageProps<Row extends SavedRecord> = FormPageProps<Row> & {
  /** The values that a new record begins with; undefined while they are loaded. */
  prefilled: FieldValues | undefined
  children: (editor: RecordEditor) => ReactNode
}

/** Adds a record on a page of its own, then shows the list. */
export function AddPage<Row extends SavedRecord>({ kind, pages, prefilled, children }: AddPageProps<Row>) {
  const navigate = useNavigate()
  const title = `Add ${kind.name}`
  if (!prefilled) return <FormPageSkeleton title={title} pages={pages} />
  return (
    <FormPage
      title={title}
      kind={kind}
      pages={pages}
      prefilled={prefilled}
      onSaved={() => void navigate({ to: pages.path })}
      onCreated={(id) => void navigate({ to: pages.editPath(id), replace: true })}
    >
      {children}
    </FormPage>
  )
}

type EditPageProps<Row extends SavedRecord> = FormPageProps<Row> & {
  record: UseQueryResult<Row>
  children: (editor: RecordEditor, record: Row) => ReactNode
}

/** Edits a record on a page of its own, then goes back. */
export function EditPage<Row extends SavedRecord>({ kind, pages, record, children }: EditPageProps<Row>) {
  const backOr = useBackOr()
  useListOnFailure(record, pages.path)
  const { data } = record
  if (!data) return <FormPageSkeleton title="Edit" pages={pages} />
  const goBack = () => backOr(`${pages.path}/${data.id}`)
  return (
    <FormPage key={data.id} title="Edit" kind={kind} pages={pages} record={data} onSaved={goBack} onCreated={goBack}>
      {(editor) => children(editor, data)}
    </FormPage>
  )
}

type PageProps<Row extends SavedRecord> = FormPageProps<Row> & {
  title: string
  record?: Row
  prefilled?: FieldValues
  onSaved: () => void
  onCreated: (id: string) => void
  children: (editor: RecordEditor) => ReactNode
}

function FormPage<Row extends SavedRecord>({ title, pages, children, ...options }: PageProps<Row>) {
  const { kind, record } = options
  const navigate = useNavigate()
  const form = useEditorForm(options)
  const cancel = () => void navigate({ to: pages.path })
  useActions([
    { keys: 'mod+Enter', label: `Save ${kind.name}`, whileTyping: true, run: () => form.save() },
    { keys: 'Escape', label: 'Cancel', whileTyping: true, run: cancel },
  ])
  const fields = useFocusOnFirstField(record === undefined)
  return (
    <>
      <PageBar
        title={title}
        breadcrumb={[
          <BackToList key="list" pages={pages} />,
          ...(record ? [<RecordLink key="record" record={record} pages={pages} />] : []),
        ]}
      />
      <EditorForm form={form}>
        <div className={classes['scroller']}>
          <div ref={fields} className={classes['fields']}>
            <EditorBanners form={form} />
            {children(form.editor)}
          </div>
        </div>
        <SaveBar note={<OpenChoices editor={form.editor} />}>
          <EditorButtons form={form} onCancel={cancel} />
        </SaveBar>
      </EditorForm>
      {form.question}
    </>
  )
}

function RecordLink<Row extends SavedRecord>({ record, pages: { path, titleOf } }: { record: Row; pages: RecordPages<Row> }) {
  const address: string = `${path}/${record.id}`
  return (
    <Link to={address} title={titleOf(record)}>
      {titleOf(record)}
    </Link>
  )
}

function useFocusOnFirstField(isWanted: boolean) {
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isWanted) fields.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [isWanted])
  return fields
}

/** Has the size of the form, so that nothing moves when the fields appear. */
function FormPageSkeleton<Row>({ title, pages }: { title: string; pages: RecordPages<Row> }) {
  return (
    <>
      <PageBar title={title} breadcrumb={[<BackToList key="list" pages={pages} />]} />
      <output className={classes['skeleton']} aria-label="Loading">
        {['half', 'half', 'whole', 'whole', 'whole', 'half', 'half', 'whole'].map((width, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the bars never change
          <span key={index} data-width={width} />
        ))}
      </output>
    </>
  )
}

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { fieldTypes, formLimits } from '#contract/formFields.ts'
import type { LeadForm } from '#contract/leadForms.ts'
import { useActions } from '#web/lib/actions.ts'
import { isNotFound, ProblemError } from '#web/lib/client.ts'
import { useUnsavedWork } from '#web/lib/forms.ts'
import { describeError, toastError } from '#web/lib/toasts.ts'
import { getListErrors } from '#web/records/formFields/fieldDrafts.ts'
import { FieldList } from '#web/records/formFields/FieldList.tsx'
import { RestoredDraftBanner } from '#web/records/form/EditorBanners.tsx'
import { useUnsavedChangesGuard } from '#web/records/form/unsavedChangesGuard.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { SaveBar } from '#web/ui/SaveBar.tsx'
import { Warning } from '#web/ui/Warning.tsx'
import { leadFormQuery, useUpdateForm } from '../queries.ts'
import { getDraftErrors, isChanged, keepLaterChanges, toPatch } from './draft.ts'
import { FormPreview } from './FormPreview.tsx'
import { FormSettings } from './FormSettings.tsx'
import { useFormEdit } from './useFormEdit.ts'
import classes from './EditorPage.module.css'

const breadcrumb = [
  <Link key="forms" to="/lead-forms">
    Lead Forms
  </Link>,
]

/** The page on which a form is edited, with a preview. */
export function EditorPage() {
  const { id = '' } = useParams({ strict: false })
  const form = useQuery(leadFormQuery(id))
  const isMissing = isNotFound(form.error)
  if (form.data) return <Editor key={id} saved={form.data} />
  return (
    <>
      <PageBar title="Edit form" breadcrumb={breadcrumb} />
      <div className={classes['body']}>
        {form.isPending && <ListSkeleton rows={4} height={96} columns={[]} />}
        {isMissing && (
          <EmptyState title="This form is no longer here" actions={<BackButton />}>
            It may be in the trash.
          </EmptyState>
        )}
        {form.isError && !isMissing && (
          <FailedState
            title="The form could not be loaded"
            reason={describeError(form.error)}
            onRetry={() => void form.refetch()}
            isRetrying={form.isFetching}
          />
        )}
      </div>
    </>
  )
}

const BackButton = () => (
  <Button component={Link} to="/lead-forms">
    Back to Lead Forms
  </Button>
)

/** Error messages by path. The position in a path such as `form_fields.0.field_label` is the one in `fields`. */
type FormErrors = { messages: Readonly<Record<string, string>>; fields: readonly { id: string }[] }

const noErrors: FormErrors = { messages: {}, fields: [] }

function Editor({ saved: current }: { saved: LeadForm }) {
  const navigate = useNavigate()
  // `saved` is the version that is edited; saving fails with a conflict if there is a newer one
  const { saved, draft, hasChanges, isRestored, change, restorePrevious, start } = useFormEdit(current)
  const [hasConflict, setHasConflict] = useState(false)
  const [errors, setErrors] = useState(noErrors)
  const [discardCount, setDiscardCount] = useState(0)
  const page = useRef<HTMLDivElement>(null)
  const latestDraft = useRef(draft)
  useEffect(() => {
    latestDraft.current = draft
  }, [draft])
  useUnsavedWork(hasChanges)
  // otherwise Ctrl+Z would undo an older change on the server, which the user does not see
  useActions(hasChanges ? [{ keys: 'mod+z', label: 'Undo the last edit of the form', run: restorePrevious }] : [])
  const guard = useUnsavedChangesGuard(hasChanges, () => start(saved))
  const showErrors = (shown: FormErrors): void => {
    flushSync(() => setErrors(shown)) // marks the fields, of which the first one gets the focus
    page.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }
  const update = useUpdateForm(saved.id, (error, { form_fields: sentFields = [] }) => {
    const messages = error instanceof ProblemError ? error.problem.fields : undefined
    if (messages) showErrors({ messages, fields: sentFields })
    else if (error instanceof ProblemError && error.problem.code === 'conflict') setHasConflict(true)
    else toastError(error)
  })
  const leave = (): void => void navigate({ to: '/lead-forms' })
  const showCurrent = (): void => {
    start(current)
    setErrors(noErrors)
    setHasConflict(false)
  }
  const discardChanges = (): void => {
    showCurrent()
    setDiscardCount(discardCount + 1)
  }
  // the cache may have had an older version when the editor was opened, and the form may be changed in another tab
  if (current.version > saved.version && !hasChanges && !update.isPending) showCurrent()
  /** `version` is the version that the user has seen. */
  const save = (version = saved.version): void => {
    const messages = getDraftErrors(draft, page.current?.querySelectorAll('input[name]') ?? [])
    if (Object.keys(messages).length > 0) return showErrors({ messages, fields: draft.fields })
    setErrors(noErrors)
    setHasConflict(false)
    if (!hasChanges) return leave()
    update.mutate(
      { body: { ...toPatch(draft, saved), version }, title: 'Form saved' },
      {
        onSuccess: ({ response }) => {
          const newDraft = keepLaterChanges(latestDraft.current, draft, response)
          start(response, newDraft)
          if (isChanged(newDraft, response)) return
          guard.allowLeaving()
          leave()
        },
      },
    )
  }
  return (
    <>
      <PageBar title={saved.title} breadcrumb={breadcrumb} />
      <div className={classes['body']} ref={page}>
        {isRestored && <RestoredDraftBanner onStartOver={discardChanges} />}
        {hasConflict && <Conflict onSave={() => save(current.version)} onDiscard={discardChanges} />}
        <div className={classes['columns']}>
          <div className={classes['editor']}>
            <section className={classes['section']} aria-labelledby="form-fields">
              <h2 id="form-fields">Fields</h2>
              <ul className={classes['fixed']} aria-label="Fixed fields">
                {['First Name', 'Last Name'].map((label) => (
                  <li key={label}>
                    {label} <span>Required, always there</span>
                  </li>
                ))}
              </ul>
              <FieldList
                label="Custom fields"
                addLabel="Add Field"
                maxFields={formLimits.fields}
                types={fieldTypes}
                fields={draft.fields}
                savedFields={saved.form_fields}
                nextNumber={saved.next_field_number}
                errors={getListErrors(errors.messages, 'form_fields', errors.fields)}
                onChange={(fields) => change({ fields })}
              />
            </section>
            {/* the key discards texts that the browser cannot read, such as half a date: the draft has no text for them */}
            <FormSettings key={discardCount} draft={draft} saved={saved} errors={errors.messages} onChange={change} />
          </div>
          <div className={classes['aside']}>
            <FormPreview draft={draft} />
          </div>
        </div>
      </div>
      <SaveBar isWide note={hasChanges ? 'Unsaved changes' : undefined}>
        <Button variant="default" onClick={() => guard.confirmAndRun(leave)}>
          Cancel
        </Button>
        <Button onClick={() => save()} loading={update.isPending}>
          Save Fields
        </Button>
      </SaveBar>
      {guard.confirmation}
    </>
  )
}

/** Says that the form was changed in another tab or by another program, and asks which changes stay. */
const Conflict = ({ onSave, onDiscard }: { onSave: () => void; onDiscard: () => void }) => (
  <Warning title="This form was changed somewhere else while you were editing">
    <p>
      Your changes are not saved yet. If you save them, they replace the other ones where both changed the same text or the list of fields.
    </p>
    <div className={classes['choices']}>
      <Button variant="default" onClick={onSave}>
        Save mine
      </Button>
      <Button variant="default" onClick={onDiscard}>
        Discard mine and show the other changes
      </Button>
    </div>
  </Warning>
)

import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type * as z from 'zod/mini'
import type { Problem } from '#contract/errors.ts'
import { ProblemError } from '#web/lib/client.ts'
import { getFieldErrors, focusFirstError, showFailure, useUnsavedWork } from '#web/lib/forms.ts'
import { removeFromTab, readFromTab, storeInTab } from '#web/lib/tabMemory.ts'
import { editWith, applyChoices, useConflict, type Edit } from './conflicts.ts'
import { changedFields, isChanged, type FieldValues } from './fields.ts'
import type { RecordForm, SavedRecord } from './recordForm.ts'
import { isMissing, restoreRecord } from '#web/records/form/restoreRecord.ts'

/** `allowDuplicate`: creates a record even if the server finds duplicates. `restore`: restores a deleted record before it is saved. */
type SaveOptions = { allowDuplicate?: boolean; restore?: boolean }

/** A save request: the edit that is sent, and the form values at that time. */
type Attempt = { edit: Edit; typed: FieldValues; options: SaveOptions }

/** Called after a save. `hasNewChanges`: the user has typed more since the request was sent. */
export type OnSaved = (hasNewChanges: boolean, id: string | undefined) => void

export type RecordEditor = ReturnType<typeof useRecordEditor>

/**
 * The state of a record that is edited: form values, errors, draft, conflicts and saving.
 * `prefilled` are initial values of a new record; they do not count as unsaved changes.
 */
export function useRecordEditor<Row extends SavedRecord>(
  recordForm: RecordForm<Row>,
  loaded: Row | undefined,
  prefilled: FieldValues = {},
) {
  const [saved, setSaved] = useState<Row>()
  const record = saved && saved.version >= (loaded?.version ?? 0) ? saved : loaded
  const formState = useFormState(recordForm, record, prefilled)
  const conflictState = useConflict()
  const saveState = useSave(recordForm, record, formState, conflictState)
  const { form } = formState
  const afterSave = (result: Row | undefined, { edit, typed }: Attempt, onSaved: OnSaved): void => {
    const base = result ? recordForm.valuesOf(result) : edit.base
    const typedSince = changedFields(typed, form.getValues())
    setSaved(result ?? record)
    conflictState.setConflict(undefined)
    formState.begin({ base, version: result?.version ?? edit.version, values: { ...base, ...typedSince } })
    onSaved(Object.keys(typedSince).length > 0, result?.id)
  }
  return {
    ...formState,
    ...conflictState,
    ...saveState.state,
    labels: recordForm.labels,
    /** Validates and saves, then calls `onSaved`. Sends no request if nothing was changed. */
    save: (onSaved: OnSaved, options: SaveOptions = {}): void => {
      if (saveState.state.saving) return
      const { hasErrors, errors } = form.validate()
      if (hasErrors) return void focusFirstError(form, errors)
      saveState.send(options, (result, attempt) => afterSave(result, attempt, onSaved))
    },
    startOver: (): void => {
      conflictState.setConflict(undefined)
      formState.begin(initialEdit(recordForm, record, prefilled))
    },
  }
}

/** The form, its initial edit, and the draft that was found in the browser tab. */
function useFormState<Row extends SavedRecord>(recordForm: RecordForm<Row>, record: Row | undefined, prefilled: FieldValues) {
  const draftName = [recordForm.draftName, record?.id ?? 'new', ...(record ? [] : Object.values(prefilled))].join(' ')
  const [draft, setDraft] = useState(() => readFromTab(draftName, editWith(recordForm.values)))
  const [start, setStart] = useState<Edit>(() => draft ?? initialEdit(recordForm, record, prefilled))
  const form = useForm<FieldValues>({
    initialValues: start.values,
    validate: (values) => invalidFields(recordForm.accepts, values, record && changedFields(start.base, values)),
  })
  const dirty = isChanged(record ? start.base : { ...start.base, ...prefilled }, form.values)
  const begin = (edit: Edit): void => {
    setDraft(undefined)
    setStart(edit)
    form.setValues(edit.values)
  }
  useUnsavedWork(dirty)
  useDraftStorage(draftName, dirty, start, form.values)
  useNewVersions(record, () => !dirty && (record?.version ?? 0) > start.version && begin(initialEdit(recordForm, record, prefilled)))
  return { form, start, dirty, draftFound: draft !== undefined, begin, forget: () => removeFromTab(draftName) }
}

type FormState = ReturnType<typeof useFormState>
type ConflictState = ReturnType<typeof useConflict>

/** Saves the form values with the user's choices in a conflict. Problems in the response are kept until the next attempt. */
function useSave<Row extends SavedRecord>(
  recordForm: RecordForm<Row>,
  record: Row | undefined,
  formState: FormState,
  conflictState: ConflictState,
) {
  const { form, start, begin, forget } = formState
  const [matches, setMatches] = useState<Problem['matches']>()
  const [missing, setMissing] = useState<'deleted' | 'erased'>()
  const saving = useMutation({
    mutationFn: ({ edit, options }: Attempt) => save(recordForm, record, edit, options),
    onSuccess: () => {
      setMissing(undefined)
      forget()
    },
    onError: (error, { edit, typed, options }) => {
      const problem = error instanceof ProblemError ? error.problem : undefined
      const isLinkMissing = problem?.fields !== undefined
      if (record && isMissing(error) && !isLinkMissing) return setMissing(options.restore ? 'erased' : 'deleted')
      setMissing(undefined)
      if (problem?.matches) return setMatches(problem.matches)
      if (!problem?.conflict) return showFailure(form, error)
      begin({ ...edit, values: { ...edit.values, ...changedFields(typed, form.getValues()) } })
      conflictState.setConflict(problem.conflict)
    },
  })
  const send = (options: SaveOptions, onSuccess: (result: Row | undefined, attempt: Attempt) => void): void => {
    const typed = form.getValues()
    const { conflict, choices } = conflictState
    const edit = { ...start, values: typed }
    const attempt = { edit: conflict ? applyChoices(edit, conflict, choices, recordForm.labels) : edit, typed, options }
    setMatches(undefined)
    saving.mutate(attempt, { onSuccess: (result) => onSuccess(result, attempt) })
  }
  return { send, state: { saving: saving.isPending, matches, missing } }
}

const initialEdit = <Row extends SavedRecord>(recordForm: RecordForm<Row>, record: Row | undefined, prefilled: FieldValues): Edit => ({
  base: recordForm.valuesOf(record),
  version: record?.version ?? 0,
  values: record ? recordForm.valuesOf(record) : { ...recordForm.valuesOf(record), ...prefilled },
})

async function save<Row extends SavedRecord>(
  recordForm: RecordForm<Row>,
  record: Row | undefined,
  { base, version, values }: Edit,
  { allowDuplicate = false, restore = false }: SaveOptions,
): Promise<Row | undefined> {
  const changes = changedFields(base, values)
  if (record && Object.keys(changes).length === 0) return undefined
  if (record && restore) await restoreRecord(record.id)
  return recordForm.save(record, changes, version, allowDuplicate)
}

/** Error sentences of invalid fields. Ignores unchanged fields of a saved record, because imported values may be invalid. */
function invalidFields(accepts: z.ZodMiniType, values: FieldValues, touched: FieldValues | undefined): Record<string, string> {
  const errors = getFieldErrors(accepts, values)
  return touched ? Object.fromEntries(Object.entries(errors).filter(([field]) => field in touched)) : errors
}

/** Stores unsaved changes in the browser tab, so that they are not lost on a reload. */
function useDraftStorage(name: string, dirty: boolean, start: Edit, values: FieldValues): void {
  useEffect(() => {
    if (dirty) storeInTab(name, { ...start, values })
    else removeFromTab(name)
  }, [name, dirty, start, values])
}

/** Calls `show` when a new version of the record is loaded. */
function useNewVersions(record: SavedRecord | undefined, show: () => void): void {
  useEffect(() => {
    show()
    // oxlint-disable-next-line react/exhaustive-deps -- only a new version matters
  }, [record?.version])
}

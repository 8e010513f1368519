import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type * as z from 'zod/mini'
import type { Problem } from '#contract/errors.ts'
import { isNotFound, ProblemError } from '#web/lib/client.ts'
import { getFieldErrors, focusFirstError, showFailure, useUnsavedWork } from '#web/lib/forms.ts'
import { newId } from '#web/lib/ids.ts'
import { removeFromTab, readFromTab, storeInTab } from '#web/lib/tabMemory.ts'
import { toastError } from '#web/lib/toasts.ts'
import { useIsMounted } from '#web/ui/useIsMounted.ts'
import { createEditSchema, applyChoices, useConflict, type Edit } from './conflicts.ts'
import { formatFieldList, getChangedFields, isChanged, type FieldLabels, type FieldValues } from './fields.ts'
import type { RecordForm, SavedRecord } from './recordForm.ts'
import { saveEdit, type SaveOptions } from './saveEdit.ts'

/** A save request: the edit that is sent, and the form values at the time when it is sent. */
type Attempt = { edit: Edit; sentValues: FieldValues; options: SaveOptions }

/** Called after a save. `hasTypedDuringSave` is true if the user has changed a field since the request was sent. */
export type OnSaved = (hasTypedDuringSave: boolean, id: string | undefined) => void

export type RecordEditor = ReturnType<typeof useRecordEditor> & {
  /** Saves a field that is edited in place, after the user has selected an option. Undefined in forms, which are saved by a button. */
  saveInPlace?: (() => void) | undefined
  /**
   * Saves a field that is edited in place if the user has left it. Called when the value becomes valid after that, for example because a
   * search has found the typed title. Undefined in forms.
   */
  saveAfterLeaving?: (() => void) | undefined
}

/** The form values of a saved record, and those before the edit. */
export type SavedValues = { id: string; values: FieldValues; before: FieldValues }

/** Runs a function after each save that has changed the record, before the form closes. */
export function useAfterSave({ saveListeners }: RecordEditor, run: (saved: SavedValues) => void): void {
  useEffect(() => {
    saveListeners.add(run)
    return () => void saveListeners.delete(run)
  }, [saveListeners, run])
}

/** Returns true if this browser tab has a draft of the record. */
export const hasDraft = <Full extends SavedRecord>({ draftName, valuesSchema }: RecordForm<Full>, recordId: string): boolean =>
  readFromTab(`${draftName} ${recordId}`, createEditSchema(valuesSchema)) !== undefined

/**
 * The state of the form for a record: values, errors, draft, conflict and saving. Without `loadedRecord` the form adds a record.
 * `prefilledFields` are initial values of a new record, which do not count as unsaved changes. `newRecordDraftKeys` distinguish
 * the drafts of new records; by default they are the prefilled values.
 */
export function useRecordEditor<Full extends SavedRecord>(
  recordForm: RecordForm<Full>,
  loadedRecord: Full | undefined,
  prefilledFields: FieldValues = {},
  newRecordDraftKeys: readonly unknown[] = Object.values(prefilledFields),
) {
  /** The result of the last save, until a newer version is loaded. */
  const [savedRecord, setSavedRecord] = useState<Full>()
  const isSavedRecordCurrent = savedRecord !== undefined && savedRecord.version >= (loadedRecord?.version ?? 0)
  const record = isSavedRecordCurrent ? savedRecord : loadedRecord
  const formState = useFormState(recordForm, record, prefilledFields, newRecordDraftKeys)
  const conflictState = useConflict()
  const saveState = useSave(recordForm, record, formState, conflictState)
  const { form } = formState
  const [saveListeners] = useState(() => new Set<(saved: SavedValues) => void>())
  const afterSave = (result: Full | undefined, { edit, sentValues }: Attempt, onSaved: OnSaved): void => {
    const base = result ? recordForm.toValues(result) : edit.base
    const newChanges = getChangedFields(sentValues, form.getValues())
    setSavedRecord(result ?? record)
    conflictState.setConflict(undefined)
    const { id, version } = result ?? edit
    formState.startEdit({ id, base, version, values: { ...base, ...newChanges } })
    if (result) for (const run of saveListeners) run({ id: result.id, values: base, before: edit.base })
    onSaved(Object.keys(newChanges).length > 0, result?.id)
  }
  return {
    ...formState,
    ...conflictState,
    ...saveState.state,
    labels: recordForm.labels,
    saveListeners,
    /** Validates and saves the form, then calls `onSaved`. Sends no request if nothing was changed. */
    save: (onSaved: OnSaved, options: SaveOptions = {}): void => {
      if (saveState.state.saving) return
      const { hasErrors, errors } = form.validate()
      if (hasErrors) return void focusFirstError(form, errors)
      saveState.send(options, (result, attempt) => afterSave(result, attempt, onSaved))
    },
    /** Discards the changes and their draft. */
    startOver: (): void => {
      formState.discardDraft()
      conflictState.setConflict(undefined)
      formState.startEdit(createInitialEdit(recordForm, record, prefilledFields))
    },
  }
}

/** The form, the edit that it began with, and the draft that is stored in the browser tab. */
function useFormState<Full extends SavedRecord>(
  recordForm: RecordForm<Full>,
  record: Full | undefined,
  prefilledFields: FieldValues,
  newRecordDraftKeys: readonly unknown[],
) {
  const draftName = [recordForm.draftName, ...(record ? [record.id] : ['new', ...newRecordDraftKeys])].join(' ')
  const readDraft = () => readFromTab(draftName, createEditSchema(recordForm.valuesSchema))
  const [draft, setDraft] = useState(readDraft)
  /** The edit that the form began with; its `values` are the initial values of the form. */
  const [startingEdit, setStartingEdit] = useState<Edit>(() => draft ?? createInitialEdit(recordForm, record, prefilledFields))
  const form = useForm<FieldValues>({
    initialValues: startingEdit.values,
    validate: (values) => findErrors(recordForm.inputSchema, values, record && getChangedFields(startingEdit.base, values)),
  })
  const unchangedValues = record ? startingEdit.base : { ...startingEdit.base, ...prefilledFields }
  // a save whose response was lost may have failed, so its values count as unsaved
  const hasUnsavedChanges = startingEdit.unanswered !== undefined || isChanged(unchangedValues, form.values)
  const startEdit = (edit: Edit): void => {
    setDraft(undefined)
    setStartingEdit(edit)
    form.setValues(edit.values)
  }
  /** Changes parts of the edit that the user does not see. */
  const updateEdit = (changes: Partial<Pick<Edit, 'id' | 'unanswered' | 'remembered'>>): void =>
    setStartingEdit((current) => ({ ...current, ...changes }))
  useUnsavedWork(hasUnsavedChanges)
  useDraftStorage(draftName, hasUnsavedChanges, startingEdit, form.values)
  useNewVersions(record, () => {
    const isNewer = (record?.version ?? 0) > startingEdit.version
    if (isNewer && !hasUnsavedChanges) startEdit(createInitialEdit(recordForm, record, prefilledFields))
  })
  const discardDraft = () => removeFromTab(draftName)
  return { form, startingEdit, hasUnsavedChanges, isDraftRestored: draft !== undefined, startEdit, updateEdit, readDraft, discardDraft }
}

type FormState = ReturnType<typeof useFormState>
type ConflictState = ReturnType<typeof useConflict>

/**
 * Saves the form values, with the values that the user selected in a conflict. The error messages of a failed save stay until the next
 * save.
 */
function useSave<Full extends SavedRecord>(
  recordForm: RecordForm<Full>,
  record: Full | undefined,
  formState: FormState,
  conflictState: ConflictState,
) {
  const { form, startingEdit, startEdit, updateEdit, readDraft, discardDraft } = formState
  /** The existing records that the server considers duplicates of the new record. */
  const [matches, setMatches] = useState<Problem['matches']>()
  /** Set if the record no longer exists: `deleted` if it is in the trash, `erased` if it is not in the trash either. */
  const [missing, setMissing] = useState<'deleted' | 'erased'>()
  const isMounted = useIsMounted()
  const mutation = useMutation({
    mutationFn: ({ edit, options }: Attempt) => saveEdit({ recordForm, record, edit, options, storeProgress: updateEdit }),
    onSuccess: (_, { sentValues }) => {
      setMissing(undefined)
      // after the user has left the form, a draft with text that was typed during the save is the only copy of that text
      if (isMounted.current || !isChanged(sentValues, readDraft()?.values ?? {})) discardDraft()
    },
    onError: (error, { edit, sentValues, options }) => {
      // the form cannot show the reason any more, because the user has left it
      if (!isMounted.current) return toastError(error, describeUnsaved(edit, recordForm.labels))
      const problem = error instanceof ProblemError ? error.problem : undefined
      // status 404 with a field error: a linked record is missing, not this record
      const isLinkMissing = problem?.fields !== undefined
      // a record that is still missing after a restore is not in the trash
      if (record && isNotFound(error) && !isLinkMissing) return setMissing(options.restore ? 'erased' : 'deleted')
      setMissing(undefined)
      if (problem?.matches) return setMatches(problem.matches)
      if (!problem?.conflict) return showFailure(form, error)
      const newChanges = getChangedFields(sentValues, form.getValues())
      startEdit({ ...edit, values: { ...edit.values, ...newChanges } })
      conflictState.setConflict(problem.conflict)
    },
  })
  const send = (options: SaveOptions, onSuccess: (result: Full | undefined, attempt: Attempt) => void): void => {
    const sentValues = form.getValues()
    const { conflict, choices } = conflictState
    const typedEdit = { ...startingEdit, values: sentValues }
    const edit = conflict ? applyChoices(typedEdit, conflict, choices, recordForm.labels) : typedEdit
    const attempt = { edit, sentValues, options }
    setMatches(undefined)
    mutation.mutate(attempt, { onSuccess: (result) => onSuccess(result, attempt) })
  }
  return { send, state: { saving: mutation.isPending, matches, missing } }
}

/** Describes the changed fields of an edit that was not saved: "Phone was not saved". */
function describeUnsaved({ base, values }: Edit, labels: FieldLabels): string {
  const fields = Object.keys(getChangedFields(base, values))
  if (fields.length === 0) return 'Not saved'
  return `${formatFieldList(labels, fields)} ${fields.length === 1 ? 'was' : 'were'} not saved`
}

/** The edit of a form without changes. */
const createInitialEdit = <Full extends SavedRecord>(
  recordForm: RecordForm<Full>,
  record: Full | undefined,
  prefilledFields: FieldValues,
): Edit => ({
  id: record?.id ?? newId(),
  base: recordForm.toValues(record),
  version: record?.version ?? 0,
  values: record ? recordForm.toValues(record) : { ...recordForm.toValues(record), ...prefilledFields },
})

/**
 * Returns the error messages of invalid fields. `changes` are the changed fields of a saved record; its other fields are not checked,
 * because imported values may be invalid.
 */
function findErrors(inputSchema: z.ZodMiniType, values: FieldValues, changes: FieldValues | undefined): Record<string, string> {
  const errors = getFieldErrors(inputSchema, values)
  return changes ? Object.fromEntries(Object.entries(errors).filter(([field]) => field in changes)) : errors
}

/** Stores unsaved changes in the browser tab, so that they are not lost on a reload. */
function useDraftStorage(name: string, hasUnsavedChanges: boolean, startingEdit: Edit, values: FieldValues): void {
  useEffect(() => {
    if (hasUnsavedChanges) storeInTab(name, { ...startingEdit, values })
    else removeFromTab(name)
  }, [name, hasUnsavedChanges, startingEdit, values])
}

/** Calls `onNewVersion` when a new version of the record is loaded. */
function useNewVersions(record: SavedRecord | undefined, onNewVersion: () => void): void {
  useEffect(() => {
    onNewVersion()
    // oxlint-disable-next-line react/exhaustive-deps -- only a new version matters
  }, [record?.version])
}

// Saves an edit. A save is unanswered if no response arrived, or a response with a status of 500 or higher from a server or proxy: the
// browser then does not know whether the server has made the change.
import { isNotFound, ProblemError } from '#web/lib/client.ts'
import { newId } from '#web/lib/ids.ts'
import { toast } from '#web/lib/toasts.ts'
import type { Edit, UnansweredSaves } from './conflicts.ts'
import { getChangedFields, toFormValues, type FieldValues } from './fields.ts'
import type { RecordForm, SavedRecord } from './recordForm.ts'
import { restoreRecord } from './restoreRecord.ts'

export type SaveOptions = {
  /** Creates a record even if the server finds duplicates. */
  allowDuplicate?: boolean
  /** Restores a deleted record before it is saved. */
  restore?: boolean
}

/** Stores the id and the unanswered saves of an edit, so that the server can recognise the next save of this edit as a repetition. */
type StoreProgress = (progress: Partial<Pick<Edit, 'id' | 'unanswered'>>) => void

/** The parameters of a save. Without `record`, the edit adds a record. */
type Save<Full extends SavedRecord> = {
  recordForm: RecordForm<Full>
  record: Full | undefined
  edit: Edit
  options: SaveOptions
  storeProgress: StoreProgress
}

/**
 * Sends the changed fields. Returns the saved record, or undefined if no field was changed. If an earlier save of this edit got no
 * response, the server may have made its change. This save then adds no second record, and does not conflict with the earlier save.
 */
export async function saveEdit<Full extends SavedRecord>(save: Save<Full>): Promise<Full | undefined> {
  const { recordForm, record, edit, options, storeProgress } = save
  const { restore = false, allowDuplicate = false } = options
  const { id, version, unanswered } = edit
  const changes = getFieldsToSend(edit)
  const restoreChangeId = record && restore ? await restoreRecord(record.id) : undefined
  if (record && Object.keys(changes).length === 0) {
    if (restore) toast({ kind: 'success', title: 'Restored', changeId: restoreChangeId }) // with changes, the toast of the save says enough
    return undefined
  }
  const fields = recordForm.parse(changes)
  const unansweredWithThisSave = addUnansweredSave(unanswered, fields, JSON.stringify({ fields, version, allowDuplicate }))
  storeProgress({ unanswered: unansweredWithThisSave }) // before the request, because the page may be closed before the response arrives
  try {
    return await recordForm.save({ record, id, fields, version, allowDuplicate, idempotencyKey: unansweredWithThisSave.key })
  } catch (error) {
    const isUnanswered = isPossiblySaved(error)
    storeProgress({ unanswered: isUnanswered ? keepOrReplaceKey(unansweredWithThisSave, error) : unanswered })
    if (isUnanswered || !(error instanceof ProblemError)) throw error
    return saveAfterRefusal(save, error)
  }
}

/**
 * Returns the changed fields, and the fields that unanswered saves have sent. The server may have saved the sent values, so these fields
 * are sent again even if the user has changed them back since.
 */
function getFieldsToSend({ base, values, unanswered }: Edit): FieldValues {
  const sentNames = new Set(unanswered?.sent.flatMap((fields) => Object.keys(fields)))
  const changes = getChangedFields(base, values)
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in changes || sentNames.has(name)))
}

/** Adds a save to the unanswered saves. The same content keeps its key, so that the server recognises the repetition. */
function addUnansweredSave(earlier: UnansweredSaves | undefined, fields: Record<string, unknown>, content: string): UnansweredSaves {
  if (earlier?.content === content) return earlier
  return { key: newId(), content, sent: [...(earlier?.sent ?? []), fields] }
}

/**
 * Returns the unanswered saves after a failure of the last one. The error `answer_failed` means that the server has made the change and
 * could not create the response, for example because the record was deleted since. A repetition with the same key would fail again, so the
 * next save gets a new key.
 */
const keepOrReplaceKey = (saves: UnansweredSaves, error: unknown): UnansweredSaves =>
  error instanceof ProblemError && error.problem.code === 'answer_failed' ? { ...saves, key: newId() } : saves

/**
 * Returns true if the edit may be saved although the request failed: without a response (status 0), or with an error of a server or proxy.
 */
const isPossiblySaved = (error: unknown): boolean =>
  !(error instanceof ProblemError) || error.problem.status === 0 || error.problem.status >= 500

/**
 * Continues a save that was refused because the id of the new record is taken, or because of values that earlier saves of this edit have
 * sent. Throws every other refusal.
 */
function saveAfterRefusal<Full extends SavedRecord>(save: Save<Full>, refusal: ProblemError): Promise<Full | undefined> {
  const { record, edit } = save
  const { conflict, fields } = refusal.problem
  // a new record is refused with an error of its id if a record with this id exists
  if (!record && fields?.['id']) return edit.unanswered ? saveToExisting(save) : saveWithNewId(save)
  if (!conflict || !edit.unanswered) throw refusal
  const { sent } = edit.unanswered
  /** Returns true if the other value of the conflict was sent by an earlier save of this edit. */
  const isOwn = ({ field, theirs }: (typeof conflict.fields)[number]): boolean =>
    sent.some((each) => field in each && JSON.stringify(each[field]) === JSON.stringify(theirs))
  const otherFields = conflict.fields.filter((each) => !isOwn(each))
  if (otherFields.length > 0) throw new ProblemError({ ...refusal.problem, conflict: { ...conflict, fields: otherFields } })
  // all conflicting values were sent by earlier saves of this edit, so there is nothing to choose
  return saveEdit({ ...save, edit: { ...edit, version: conflict.version } })
}

/** Saves a new record that an unanswered save has added already: loads it, and saves the fields that were changed since. */
async function saveToExisting<Full extends SavedRecord>(save: Save<Full>): Promise<Full | undefined> {
  const { recordForm, edit } = save
  const existing = await recordForm.loadAdded?.(edit.id).catch((error: unknown) => {
    if (isNotFound(error)) return undefined // the record was deleted since
    throw error
  })
  if (!existing) return saveWithNewId(save)
  // the typed values in the format of the loaded values, such as "1,200.50" for "1200.5", so that only real changes differ
  const values = toFormValues(recordForm.parse(edit.values), recordForm.labels)
  const changes = getChangedFields(recordForm.toValues(existing), values)
  if (Object.keys(changes).length === 0) return existing
  const { id, version } = existing
  const fields = recordForm.parse(changes)
  return recordForm.save({ record: existing, id, fields, version, allowDuplicate: false, idempotencyKey: newId() })
}

/**
 * Saves under another id. The id of the edit belongs to a deleted record, or to a record that another tab has added from a copy of this
 * draft.
 */
function saveWithNewId<Full extends SavedRecord>(save: Save<Full>): Promise<Full | undefined> {
  const progress = { id: newId(), unanswered: undefined }
  save.storeProgress(progress)
  return saveEdit({ ...save, edit: { ...save.edit, ...progress } })
}

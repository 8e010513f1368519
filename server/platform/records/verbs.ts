// These functions create, edit, delete, restore and tag records. All callers use them, so that the rules of a kind apply; the few exceptions
// are named in server/record-writes.test.ts.
import type { Row } from '#server/platform/database/batch.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { editRow } from '#server/platform/journal/edit.ts'
import { restore } from '#server/platform/journal/undo.ts'
import { continueInJob } from '#server/platform/journal/undo-group.job.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { formatCountLabel, deleteRows, lockSelection, tagRows, updateRows, type RowLock, type Selection } from './bulk.ts'
import type { Fields, RecordKind } from './kind.ts'
import { deleteOrStartJob, toDeletedRecords } from './large-delete.ts'
import { insertRow, insertWithId, readRecord, updateRow, withFieldErrors } from './rows.ts'

/** The services that the verbs use. */
export type Services = { database: Database; now: () => Date }

/**
 * A new record: its fields, and optionally an id created by the client. `allow_duplicate`: adds the record even if it seems to be a
 * duplicate of another one.
 */
export type NewRecord = Fields & { id?: string | undefined; allow_duplicate?: boolean | undefined }
/** An edit: the changed fields, and the version that the edit started from. An edit without a version overwrites newer changes. */
export type RecordPatch = Fields & { version?: number | undefined }

/**
 * Adds a record. Throws `duplicate` with the records that it would duplicate, `invalid` for a used id or a rule of the kind, `not_found`
 * for a link to a missing record.
 */
export async function createRecord<R extends Row>(services: Services, caller: Caller, kind: RecordKind, record: NewRecord): Promise<R> {
  const { database } = services
  const { id, allow_duplicate: allowDuplicate, ...fields } = record
  throwIfRefused(kind, id, fields)
  const { duplicates, deriveInInsert } = kind
  const computedInInsert = deriveInInsert?.(fields)
  // `derive` does not get the fields from which the INSERT computes columns
  const fieldsToDeriveFrom = computedInInsert
    ? Object.fromEntries(Object.entries(fields).filter(([name]) => !computedInInsert.fields.includes(name)))
    : fields
  const write = async (derivedFields: Fields): Promise<R> => {
    const columns = { ...kind.defaults, ...fields, ...derivedFields }
    const insert = (recordId: string): Promise<R | undefined> =>
      duplicates && !allowDuplicate
        ? duplicates.insert<R>(caller.owner, recordId, columns)
        : insertRow<R>(kind, caller.owner, recordId, columns)
    const createdRecord = await withFieldErrors(kind, () =>
      database.batch(caller, `Added ${kind.singular}`, async () => {
        const [, inserted] = await Promise.all([kind.checkNew?.(columns), insertWithId(id, insert)])
        return inserted
      }),
    )
    if (createdRecord) return createdRecord
    if (!duplicates) throw new Error(`The ${kind.singular} was not written`)
    const matches = await database.read(caller, () => duplicates.find(caller.owner, columns))
    if (matches.length > 0) throw new Refusal('duplicate', { matches })
    return createRecord<R>(services, caller, kind, record) // the duplicate was deleted between the two statements
  }
  try {
    return await writeDerived(services, caller, { kind, fields: fieldsToDeriveFrom }, write)
  } catch (error) {
    const isDerivedLinkMissing =
      computedInInsert && findMissingLinks(error).some((name) => computedInInsert.fields.includes(name) && !fields[name])
    if (!isDerivedLinkMissing) throw error
    return createRecord<R>(services, caller, kind, record) // the linked record was deleted while the record was inserted
  }
}

/**
 * Changes the fields in `patch`. Merges with changes of other fields since `version`. Throws `conflict` if both sides changed the same
 * field.
 */
export async function updateRecord<R extends Row & { version: number }>(
  services: Services,
  caller: Caller,
  kind: RecordKind,
  id: string,
  patch: RecordPatch,
): Promise<R> {
  const { database } = services
  const { version, ...fields } = patch
  const read = (): Promise<R> => readRecord<R>(kind, caller.owner, id)
  if (Object.keys(fields).length === 0) return database.read(caller, read)
  throwIfRefused(kind, id, fields)
  return writeDerived(services, caller, { kind, id, fields }, (columns) =>
    editRow({
      database,
      caller,
      table: kind.table,
      id,
      version,
      fields: columns,
      read,
      update: (base) => withFieldErrors(kind, () => updateInTransaction<R>(services, caller, kind, id, columns, base)),
    }),
  )
}

/** Sets fields of the selected records to the same values, as one change. */
export async function updateRecords(
  services: Services,
  caller: Caller,
  kind: RecordKind,
  selection: Selection,
  fields: Fields,
): Promise<void> {
  const prefix = 'fields.'
  throwIfRefused(kind, undefined, fields, prefix)
  const label = `Updated ${kind.plural}`
  const write = (columns: Fields): Promise<void> =>
    runBulk(services, caller, kind, selection, 'no key update', label, (ids) => updateRows(kind, caller.owner, ids, columns))
  await writeDerived(services, caller, { kind, fields, prefix }, (columns) => withFieldErrors(kind, () => write(columns), prefix))
}

/**
 * Deletes the record; it stays in the trash for 30 days. Throws `not_found`. A record with very many dependents is deleted by a job: see
 * `deleteOrStartJob`.
 */
export function deleteRecord({ database }: Services, caller: Caller, kind: RecordKind, id: string): Promise<void> {
  const remove = (): Promise<void> => deleteRows(kind, caller.owner, [id])
  return deleteOrStartJob(database, caller, [toDeletedRecords(kind, [id])], () =>
    database.longTransaction(caller, formatCountLabel('Deleted', kind, 1), 'small', remove),
  )
}

/** Deletes the selected records as one change. Records with very many dependents are deleted by a job: see `deleteOrStartJob`. */
export function deleteRecords(services: Services, caller: Caller, kind: RecordKind, selection: Selection): Promise<void> {
  const records = toDeletedRecords(kind, [])
  const remove = (ids: readonly string[]): Promise<void> => {
    records.ids = [...ids]
    return deleteRows(kind, caller.owner, ids)
  }
  return deleteOrStartJob(services.database, caller, [records], () =>
    runBulk(services, caller, kind, selection, 'update', `Deleted ${kind.plural}`, remove),
  )
}

/** Adds and removes tags of the selected records as one change. */
export const tagRecords = (
  services: Services,
  caller: Caller,
  kind: RecordKind,
  selection: Selection,
  tags: { add: readonly string[]; remove: readonly string[] },
): Promise<void> =>
  runBulk(services, caller, kind, selection, 'no key update', `Tagged ${kind.plural}`, (ids) => tagRows(kind, caller.owner, ids, tags))

type RestoreServices = Pick<Services, 'database'> & { kinds: readonly RecordKind[] }

/**
 * Restores a deleted record and the records that were deleted with it. Returns the id of the change. If a change group has deleted the
 * record, the restore is a change group too, which a job continues. `kinds` are all record kinds. Throws `not_found`, `too_old`.
 */
export const restoreRecord = ({ database, kinds }: RestoreServices, caller: Caller, id: string): Promise<string> =>
  database.longTransaction(caller, 'Restored', 'small', async () => {
    const result = await restore(id)
    if (!result.isGroup) await setFieldsAfterRestore(kinds, caller.owner, id)
    await continueInJob(result, caller)
    return result.changeId
  })

async function setFieldsAfterRestore(kinds: readonly RecordKind[], owner: string, id: string): Promise<void> {
  for (const kind of kinds) {
    const fields = await kind.fieldsAfterRestore?.(owner, id)
    if (fields) await updateRow(kind, owner, id, fields, undefined)
  }
}

/** Updates the row, in a long transaction if the edit may take long. Returns undefined if the row does not have the version `version`. */
function updateInTransaction<R extends Row>(
  { database }: Services,
  caller: Caller,
  kind: RecordKind,
  id: string,
  columns: Fields,
  version: number | undefined,
): Promise<R | undefined> {
  const label = `Updated ${kind.singular}`
  const update = (): Promise<R | undefined> => updateRow<R>(kind, caller.owner, id, columns, version)
  const isSlow = kind.slowFields?.some((field) => columns[field] !== undefined) ?? false
  return isSlow ? database.longTransaction(caller, label, 'small', update) : database.batch(caller, label, update)
}

/** The maximum number of ids of a small transaction. A transaction with more ids uses the queue of large transactions. */
const maxSmallIds = 50

/** Finds and locks the records of the selection, and runs the work on their ids, in one transaction. */
function runBulk(
  { database, now }: Services,
  caller: Caller,
  kind: RecordKind,
  selection: Selection,
  lock: RowLock,
  label: string,
  work: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const run = async (): Promise<void> => work(await lockSelection(kind, caller.owner, selection, now(), lock))
  const isSmall = selection.ids !== undefined && selection.ids.length <= maxSmallIds
  return isSmall ? database.transaction(caller, label, run) : database.longTransaction(caller, label, 'large', run)
}

/** Throws `invalid` if the kind refuses the fields. `prefix` is added before the names of fields that are nested in the request body. */
function throwIfRefused({ refuse }: RecordKind, id: string | undefined, fields: Fields, prefix = ''): void {
  const messages = refuse?.(id, fields)
  if (!messages) return
  throw new Refusal('invalid', {
    fields: Object.fromEntries(Object.entries(messages).map(([field, message]) => [prefix + field, message])),
  })
}

/** The fields of a write. `id` and `prefix`: see `derive` of the kind, and `throwIfRefused`. */
type FieldsToWrite = { kind: RecordKind; id?: string; fields: Fields; prefix?: string }

/**
 * Computes the derived columns of the kind from the fields, and calls `write` with both. If a derived column links to a record that was
 * deleted before the write, computes the columns again instead of failing, because the caller did not ask for this link.
 */
async function writeDerived<T>(
  services: Services,
  caller: Caller,
  written: FieldsToWrite,
  write: (columns: Fields) => Promise<T>,
): Promise<T> {
  const { kind, id, fields, prefix = '' } = written
  const { derive } = kind
  const [derived = {}] = derive ? await services.database.read(caller, () => derive(caller.owner, [fields], id)) : []
  try {
    return await write({ ...fields, ...derived })
  } catch (error) {
    const isDerived = (column: string): boolean => typeof derived[column] === 'string' && derived[column] !== fields[column]
    if (!findMissingLinks(error).some((name) => isDerived(name.slice(prefix.length)))) throw error
    return writeDerived(services, caller, written, write)
  }
}

/** Returns the names of the fields that link to missing records, if the write was refused for this reason. */
const findMissingLinks = (error: unknown): string[] =>
  error instanceof Refusal && error.code === 'not_found' ? Object.keys(error.extras.fields ?? {}) : []

// Starts, stops and deletes imports.
import { leftOutField } from '#contract/importFields.ts'
import type { Import, ImportMode } from '#contract/imports.ts'
import { recordKinds } from '#contract/kinds.ts'
import { deleteObject } from '#server/files/files.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { enqueue } from '#server/platform/jobs/enqueue.ts'
import { openGroupHere } from '#server/platform/journal/groups.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { endImport } from './end-import.ts'
import * as store from './imports.store.ts'
import { importCaller, importJob } from './job/import-job.ts'
import { chooseFields } from './upload.ts'

type Start = { mode: ImportMode; fields?: readonly (string | null)[] | undefined }

/** Starts the import of a file: opens its change group and adds its job. Throws `import_started`, `invalid`, `disk_low`. */
export async function startImport({ database, disk }: AppContext, caller: Caller, id: string, { mode, fields }: Start): Promise<Import> {
  const { owner } = caller
  const { kind } = await database.read(caller, () => store.readSummary(owner, id))
  if (disk.state() !== 'enough') throw new Refusal('disk_low')
  await database.transaction(importCaller(owner, id), `Importing ${recordKinds[kind].plural}`, async () => {
    // the lock comes before the read, so that `fields` are compared with the columns that a concurrent correction has stored
    await store.lockImport(owner, id)
    const current = await store.readImport(owner, id)
    if (current.status !== 'uploaded') throw new Refusal('import_started')
    const mapping = fields ? chooseFields(kind, current, fields) : current.mapping
    if (mapping.every(({ field }) => field === null || field === leftOutField))
      throw new Refusal('invalid', { fields: { fields: 'No column has a field. Choose at least one.' } })
    const group = await openGroupHere({})
    await Promise.all([
      sql(
        `update imports set status = 'running', mode = $3, mapping = $4, change_id = $5, started_at = now() where user_id = $1 and id = $2`,
        [owner, id, mode, JSON.stringify(mapping), group],
      ),
      enqueue(importJob, { import: id }, { key: group }),
    ])
  })
  return database.read(caller, () => store.readSummary(owner, id))
}

/** Ends an import that runs. The rows that were imported stay. Does nothing if the import does not run. */
export async function stopImport({ database }: AppContext, caller: Caller, id: string): Promise<Import> {
  await database.read(caller, () => store.readSummary(caller.owner, id)) // throws `not_found`
  await endImport(database, importCaller(caller.owner, id), id, { status: 'stopped' })
  return database.read(caller, () => store.readSummary(caller.owner, id))
}

/** Deletes an import with its report and its file. Throws `import_running`. */
export const deleteImport = ({ database }: AppContext, caller: Caller, id: string): Promise<void> =>
  database.transaction(caller, 'Deleted an import', async () => {
    const { status, object_id: objectId } = await store.lockImport(caller.owner, id)
    if (status === 'running') throw new Refusal('import_running')
    await sql('delete from imports where user_id = $1 and id = $2', [caller.owner, id])
    if (objectId !== null) await deleteObject(caller.owner, objectId)
  })

// Files that wait for their import: they are uploaded, and the user corrects how they are read.
import { importFields } from '#contract/importFields.ts'
import type { ImportDetails, ImportKind, TextEncoding } from '#contract/imports.ts'
import { openObject, storeObject, withStorageErrors } from '#server/files/files.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { Upload } from '#server/platform/http/upload.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { toDetails } from './details.ts'
import * as store from './imports.store.ts'
import type { StoredImport } from './imports.store.ts'
import { inspectFile, requireFileType, toMapperColumns, unreadableSentences, type FoundTable, type Inspected } from './inspect.ts'
import type { ColumnMapping } from './mapping/column-mapping.ts'
import { changeFields } from './mapping/map-columns.ts'
import type { TableOptions } from './reading/read-table.ts'

type NewFile = { file_name: string; kind: ImportKind; content: AsyncIterable<Uint8Array>; size: number; signal?: AbortSignal }

/** What the user corrects. `fields`: the field of each column. */
type Correction = {
  encoding?: TextEncoding | undefined
  separator?: string | undefined
  sheet?: string | undefined
  has_header?: boolean | undefined
  fields?: readonly (string | null)[] | undefined
}

/**
 * Stores the body of a request as a file to import. Throws `invalid` with a sentence for a file that cannot be imported, and the errors of
 * uploads.
 */
export async function uploadImport(
  context: AppContext,
  caller: Caller,
  { file_name, kind, body, signal }: { file_name: string; kind: ImportKind; body: Upload; signal: AbortSignal },
): Promise<ImportDetails> {
  if (body.size === undefined) throw new Refusal('invalid', { fields: { file: 'Send the file with the header Content-Length.' } })
  // after a failure the connection stays open, so that the client gets the response
  const content = { [Symbol.asyncIterator]: () => body.content.iterator({ destroyOnReturn: false }) }
  const id = await addImport(context, caller, { file_name, kind, content, size: body.size, signal })
  return toDetails(await context.database.read(caller, () => store.readImport(caller.owner, id)))
}

/** Stores a file, reads its beginning and adds its import. Returns the id of the import. */
export async function addImport(context: AppContext, caller: Caller, { file_name, kind, content, size, signal }: NewFile): Promise<string> {
  requireFileType(file_name)
  if (size === 0) throw new Refusal('invalid', { fields: { file: unreadableSentences.empty } })
  const id = newId()
  const steps = {
    inspect: (read: () => AsyncIterable<Uint8Array>) => withStorageErrors(() => inspectFile(read, file_name, kind, {}, signal)),
    write: (object_id: string, inspected: Inspected) =>
      store.insertImport(caller.owner, { id, kind, file_name, file_size: size, object_id, ...inspected }),
  }
  await storeObject(context, caller, { name: file_name, size, content, ...(signal && { signal }) }, steps)
  return id
}

/** Reads the file again as the user wants, and changes the fields of its columns. Throws `import_started`, `invalid`. */
export async function changeImport(
  context: AppContext,
  caller: Caller,
  id: string,
  correction: Correction,
  signal: AbortSignal,
): Promise<ImportDetails> {
  const { database } = context
  const current = await database.read(caller, () => store.readImport(caller.owner, id))
  if (current.status !== 'uploaded') throw new Refusal('import_started')
  const { fields, ...corrected } = correction
  const options = toOptions(current.options, corrected)
  const isReadAgain = Object.values(corrected).some((value) => value !== undefined)
  const inspected = isReadAgain ? await inspectAgain(context, caller, current, options, signal) : current
  const mapping = fields ? chooseFields(current.kind, inspected, fields) : inspected.mapping
  await database.transaction(caller, 'Changed an import', () =>
    store.updateTable(caller.owner, id, { options, found: inspected.found, mapping }),
  )
  return toDetails(await database.read(caller, () => store.readImport(caller.owner, id)))
}

const toOptions = (current: TableOptions, { encoding, separator, sheet, has_header: hasHeader }: Correction): TableOptions => ({
  ...current,
  ...(encoding !== undefined && { encoding }),
  ...(separator !== undefined && { separator }),
  ...(sheet !== undefined && { sheet }),
  ...(hasHeader !== undefined && { hasHeader }),
})

async function inspectAgain(
  context: AppContext,
  caller: Caller,
  current: StoredImport,
  options: TableOptions,
  signal: AbortSignal,
): Promise<Inspected> {
  const { sheets } = current.found
  if (options.sheet !== undefined && !sheets.includes(options.sheet))
    throw new Refusal('invalid', { fields: { sheet: 'The file has no sheet with this name.' } })
  if (current.object_id === null) throw new Refusal('import_started')
  const read = await openObject(context, caller, current.object_id)
  return withStorageErrors(() => inspectFile(read, current.file_name, current.kind, options, signal))
}

/** Returns the mapping with the chosen fields. Throws `invalid` for an unknown field, and if not each column has an entry. */
export function chooseFields(
  kind: ImportKind,
  { found, mapping }: { found: FoundTable; mapping: readonly ColumnMapping[] },
  fields: readonly (string | null)[],
): ColumnMapping[] {
  if (fields.length !== mapping.length)
    throw new Refusal('invalid', { fields: { fields: `The file has ${mapping.length} columns. Name the field of each.` } })
  const known: readonly string[] = importFields[kind]
  const unknown = fields.findIndex((field) => field !== null && !known.includes(field))
  if (unknown >= 0) throw new Refusal('invalid', { fields: { [`fields.${unknown}`]: `A ${kind} has no such field.` } })
  return changeFields(toMapperColumns(found), mapping, fields)
}

import { Readable } from 'node:stream'
import { cleanFileName } from '#contract/fileNames.ts'
import { formLimits, type FormField } from '#contract/formFields.ts'
import type { StoredFile } from '#contract/route.ts'
import type { NewSubmission, SubmissionFile } from '#contract/submissions.ts'
import { deleteObject, openObject, storeObject } from '#server/files/files.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { Refusal } from '#server/platform/refusal.ts'

/** A file of a submission that is not stored yet. */
export type SentFile = { field: FormField; name: string; mimeType: string; bytes: Buffer }

/**
 * Returns the files of the fields that take files, with a message for each field whose files are not accepted. The content
 * of files is not checked, because they are only offered to the owner as downloads.
 */
export function readSentFiles(
  fields: readonly FormField[],
  sent: NewSubmission['files'],
): { files: SentFile[]; messages: Record<string, string> } {
  const files = sent.flatMap(({ field_name, file_name, mime_type, content }): SentFile[] => {
    const field = fields.find((each) => each.field_type === 'file' && each.field_name === field_name)
    return field ? [{ field, name: cleanFileName(file_name), mimeType: mime_type, bytes: Buffer.from(content, 'base64') }] : []
  })
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
  const messages = files.flatMap(({ field, name, bytes }): [string, string][] => {
    const count = files.filter((file) => file.field === field).length
    if (count > formLimits.filesOfField) return [[field.field_name, `${field.field_label} takes at most ${formLimits.filesOfField} files`]]
    if (bytes.byteLength === 0) return [[field.field_name, `The file ${name} is empty`]]
    return totalBytes > formLimits.totalFileBytes ? [[field.field_name, 'All files together may have at most 10 MB']] : []
  })
  return { files, messages: Object.fromEntries(messages) }
}

/** Stores the bytes of all files, and returns the object ids. If one cannot be stored, keeps none. */
export async function storeFiles(context: AppContext, caller: Caller, files: readonly SentFile[]): Promise<string[]> {
  const { request: _, ...callerWithoutRequest } = caller // because only the submission itself is the change of this request
  const ids: string[] = []
  for (const { name, bytes } of files) {
    const content = Readable.from([bytes])
    const object = { name, size: bytes.byteLength, content }
    try {
      ids.push(await storeObject(context, callerWithoutRequest, object, { inspect: async () => undefined, write: async (id) => id }))
    } catch (error) {
      await deleteFiles(context, caller, ids)
      throw error
    }
  }
  return ids
}

/** Deletes the bytes of the files of a submission that was refused, so that visitors cannot fill the storage with repeated requests. */
export async function deleteFiles({ database }: AppContext, caller: Caller, objectIds: readonly string[]): Promise<void> {
  if (objectIds.length === 0) return
  const { request: _, ...callerWithoutRequest } = caller
  await database.transaction(callerWithoutRequest, '', () => Promise.all(objectIds.map((id) => deleteObject(caller.owner, id))))
}

/** Inserts the rows of stored files, in the open transaction. */
export async function insertFiles(
  owner: string,
  submissionId: string,
  files: readonly SentFile[],
  objectIds: readonly string[],
): Promise<void> {
  await Promise.all(
    files.map(({ field, name, mimeType, bytes }, index) =>
      sql(
        `insert into form_submission_files (user_id, id, submission_id, field_name, object_id, file_name, mime_type, file_size)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [owner, newId(), submissionId, field.field_name, objectIds[index], name, mimeType, bytes.byteLength],
      ),
    ),
  )
}

/** Returns the files of a submission, in the order in which they were sent. */
export const readFiles = (owner: string, submissionId: string): Promise<SubmissionFile[]> =>
  sql<SubmissionFile>(
    `select id, field_name, file_name, mime_type, file_size from form_submission_files where user_id = $1 and submission_id = $2 order by id`,
    [owner, submissionId],
  )

export type FileName = Pick<SubmissionFile, 'field_name' | 'file_name'> & { submission_id: string }

/** Returns the names of the files of several submissions. */
export const readFileNames = (owner: string, submissionIds: readonly string[]): Promise<FileName[]> =>
  sql<FileName>(
    `select submission_id, field_name, file_name from form_submission_files where user_id = $1 and submission_id = any($2::uuid[])
     order by id`,
    [owner, submissionIds],
  )

/** Opens a file of a submission that exists, as a download. Throws `not_found`. */
export async function openFile(context: AppContext, caller: Caller, id: string): Promise<StoredFile> {
  const [file] = await context.database.read(caller, () =>
    sql<{ file_name: string; file_size: number; object_id: string }>(
      `select f.file_name, f.file_size, f.object_id from form_submission_files f
         join form_submissions s on s.user_id = f.user_id and s.id = f.submission_id
       where f.user_id = $1 and f.id = $2`,
      [caller.owner, id],
    ),
  )
  if (!file) throw new Refusal('not_found')
  const read = await openObject(context, caller, file.object_id)
  return { name: file.file_name, type: 'application/octet-stream', size: file.file_size, etag: file.object_id, read }
}

// The route `upload-to-s3` for older clients, which adds a small file from base64 in JSON.
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { uploadBytes } from './bytes.ts'

type EncodedFile = {
  fileName: string
  fileSize: number
  mimeType: string
  folderId?: string | null | undefined
  contactId?: string | null | undefined
  fileData: string
}

/** Adds a file from base64. Throws `too_large` for files that must be sent in parts, and the errors of uploads. */
export async function uploadEncoded(context: AppContext, caller: Caller, file: EncodedFile): Promise<void> {
  const bytes = decode(file.fileData)
  if (bytes.byteLength > context.settings.jsonFileBytes) refuse('too_large', 'Files of this size are sent in parts: POST /api/uploads')
  if (bytes.byteLength !== file.fileSize) refuse('invalid', `The data has ${bytes.byteLength} bytes`, 'fileSize')
  const [folder_id, contact_id] = [file.folderId ?? null, file.contactId ?? null]
  if (folder_id !== null && contact_id !== null) refuse('invalid', 'Name a folder or a contact, not both', 'contactId')
  const { fileName: file_name, mimeType: mime_type } = file
  await uploadBytes(context, caller, { file_name, mime_type, folder_id, contact_id, if_exists: 'keep_both' }, bytes)
}

/** Decodes base64, also in the form of a data URL (`data:text/plain;base64,...`). Base64 never has a length of 4n + 1. */
function decode(text: string): Buffer {
  const data = text.replace(/^data:[^,]{0,200};base64,/, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data) || data.length % 4 === 1) refuse('invalid', 'Send the bytes in base64')
  return Buffer.from(data, 'base64')
}

function refuse(code: 'invalid' | 'too_large', sentence: string, field = 'fileData'): never {
  throw new Refusal(code, { fields: { [field]: sentence } })
}

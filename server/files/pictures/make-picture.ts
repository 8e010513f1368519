// Pictures that the AI makes from a description, and stores as files.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { File } from '#contract/files.ts'
import { withAi } from '#server/ai/ai.ts'
import { AiFailure } from '#server/platform/ai/failure.ts'
import type { Connection } from '#server/platform/ai/types.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { findEarlierWrite } from '#server/platform/journal/history.ts'
import { readRecord } from '#server/platform/records/rows.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { readContent } from '../files.store.ts'
import { files } from '../kind.ts'
import { readWithStorageErrors } from '../storage/storage-errors.ts'
import { readStorageUse } from '../storage/storage-use.ts'
import { uploadBytes } from '../uploads/bytes.ts'
import { convertPicture } from './convert.ts'

/** Larger pictures are made smaller. */
const maxSide = 4096
const maxPictureBytes = 32 * 1024 * 1024
const maxConversionMs = 60_000

type PictureOfFile = { imageUrl: string; file: File }

/**
 * Lets the AI make a picture and adds it to the root folder. A disconnected client does not stop this, because the picture is paid for. A
 * request with the Idempotency-Key of a running one waits for it and does not ask the AI. Throws `ai_off`, `ai_limit`, `ai_failed`,
 * `quota_exceeded`, `storage_full`.
 */
export async function makePicture(context: AppContext, requester: Caller, prompt: string): Promise<PictureOfFile> {
  const { queueSignal: _, ...caller } = requester
  const key = caller.request?.key
  if (key === undefined) return makeNewPicture(context, caller, prompt)
  return context.slots.run(`picture of ${caller.owner} ${key}`, 1, undefined, async () => {
    const earlier = await context.database.read(caller, () => findEarlierWrite(caller.owner, key))
    if (earlier) throw new Refusal('busy') // `respond.ts` then finds the earlier request and repeats its response
    return makeNewPicture(context, caller, prompt)
  })
}

async function makeNewPicture(context: AppContext, caller: Caller, prompt: string): Promise<PictureOfFile> {
  await requireSpace(context, caller)
  const png = await withAi(context, caller, async (connection, count) => {
    const { picture, use } = await askForPicture(context, connection, prompt)
    count({ ...use, images: 1 })
    return toPng(context, picture.bytes)
  })
  const fileName = `ai-generated-${context.now().getTime()}.png`
  const upload = { file_name: fileName, mime_type: 'image/png', folder_id: null, contact_id: null, if_exists: 'keep_both' as const }
  const file = await uploadBytes(context, caller, upload, png, { label: 'Generated 1 image', isAiGenerated: true })
  return { imageUrl: toDataUrl(png), file }
}

/** Throws `AiFailure`, and `ai_failed` if the service sends no picture. */
async function askForPicture({ ai }: AppContext, connection: Connection, prompt: string): ReturnType<AppContext['ai']['makeImage']> {
  try {
    return await ai.makeImage(connection, { prompt })
  } catch (error) {
    const hasNoPicture = error instanceof AiFailure && error.reason === 'empty'
    throw hasNoPicture ? new Refusal('ai_failed', { detail: 'No image URL returned' }, error) : error
  }
}

/** Throws `quota_exceeded` or `storage_full` before the AI is asked. The exact size is checked when the picture is stored. */
async function requireSpace({ database, disk, settings }: AppContext, caller: Caller): Promise<void> {
  if (disk.state() !== 'enough') throw new Refusal('storage_full')
  const { used_bytes: used, quota_bytes: quota } = await database.read(caller, () => readStorageUse(caller.owner, settings))
  if (used >= quota) throw new Refusal('quota_exceeded')
}

/** Writes the picture anew as PNG, so that only a picture is stored. Throws `ai_failed`. */
async function toPng(context: AppContext, bytes: Uint8Array): Promise<Buffer> {
  const conversion = { format: 'png' as const, maxSide, maxBytes: maxPictureBytes }
  const png = await convertPicture(context, Readable.from([bytes]), conversion, AbortSignal.timeout(maxConversionMs))
  if (!png) throw new Refusal('ai_failed', { detail: 'The AI service sent something that is not a picture, or is too large.' })
  return png
}

/** Returns a picture that the AI has made. Throws `not_found`, also for other files. */
export async function readPicture({ database, storage }: AppContext, caller: Caller, id: string): Promise<PictureOfFile> {
  const [file, content] = await database.read(caller, () =>
    Promise.all([readRecord<File>(files, caller.owner, id), readContent(caller.owner, id)]),
  )
  if (!file.is_ai_generated || file.file_size > maxPictureBytes) throw new Refusal('not_found')
  const requireFile = (): Promise<unknown> => database.read(caller, () => readContent(caller.owner, id))
  const chunks = readWithStorageErrors(storage.read(content.storage_path, { start: 0, end: file.file_size - 1 }), requireFile)
  return { imageUrl: toDataUrl(await buffer(chunks)), file }
}

const toDataUrl = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`

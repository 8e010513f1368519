// The analysis of a file by the AI. It reads the text that was extracted after the upload, or shows a picture to the model.
import { setTimeout as sleep } from 'node:timers/promises'
import type { File } from '#contract/files.ts'
import type { TextReason } from '#contract/fileTexts.ts'
import type { Passage } from '#contract/lists.ts'
import { withAi } from '#server/ai/ai.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { readRecord } from '#server/platform/records/rows.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { files } from '../kind.ts'
import { readPictureForModel } from '../pictures/model-picture.ts'
import { readText } from '../text/text.store.ts'
import { analyzeText } from './analyze-text.ts'
import { ask, type AnalysisRequest } from './ask.ts'
import { pictureInstructions } from './instructions.ts'

type Analysis = { fileName: string; analysis: string; passages: Passage[]; isCut: boolean }

/** How long the analysis waits until the text of a new file has been read. */
const maxWaitMs = 10_000
const checkMs = 200

/** Why a file cannot be analysed, as a sentence. */
const reasonSentences: Readonly<Record<TextReason, string>> = {
  encrypted: 'The file is protected with a password, so it cannot be analyzed.',
  damaged: 'The file is damaged, so it cannot be analyzed.',
  too_large: 'The file is too large to be analyzed.',
  timeout: 'Reading the text of this file takes too long, so it cannot be analyzed.',
  out_of_memory: 'Reading the text of this file takes too much memory, so it cannot be analyzed.',
  unsupported: 'Files of this type have no text that can be analyzed.',
  no_text: 'The file has no text. If it is a scan, add its pages as pictures to analyze them.',
}

/**
 * Describes a file. Nothing is stored. Throws `not_found`, `ai_off`, `ai_limit`, `ai_failed`, `not_ready` while the text is being read, and
 * `invalid` with the reason for a file that cannot be analysed.
 */
export async function analyzeFile(context: AppContext, caller: Caller, id: string, signal: AbortSignal): Promise<Analysis> {
  const { file_name: fileName } = await readFile(context, caller, id)
  return withAi(context, caller, async (connection, count, requireTokens) => {
    const file = await waitForText(context, caller, id, signal)
    const request = { context, connection, count, requireTokens, fileName, signal }
    // only images have a thumbnail
    if (file.has_thumbnail) return { fileName, analysis: await describePicture(request, caller, file), passages: [], isCut: false }
    if (file.text_reason !== null) throw new Refusal('invalid', { fields: { fileId: reasonSentences[file.text_reason] } })
    const { text, pages, is_cut } = await context.database.read(caller, () => readText(caller.owner, id))
    return { fileName, ...(await analyzeText(request, { text, pages, isCut: is_cut })) }
  })
}

const readFile = ({ database }: AppContext, caller: Caller, id: string): Promise<File> =>
  database.read(caller, () => readRecord<File>(files, caller.owner, id))

/** Returns the file when its text has been read. Throws `not_ready` if this takes long. */
async function waitForText(context: AppContext, caller: Caller, id: string, signal: AbortSignal): Promise<File> {
  const end = context.now().getTime() + maxWaitMs
  while (context.now().getTime() < end) {
    const file = await readFile(context, caller, id)
    if (file.text_state !== 'waiting') return file
    await sleep(checkMs, undefined, { signal })
  }
  throw new Refusal('not_ready', { detail: 'The text of this file is still being read. Please try again in a moment.' })
}

/** Shows the picture to the model. Throws `ai_failed` if the model cannot see pictures. */
async function describePicture(request: AnalysisRequest, caller: Caller, { id }: File): Promise<string> {
  const { context, connection, signal } = request
  if (connection.capabilities.vision === false)
    throw new Refusal('ai_failed', {
      detail: `The model ${connection.model} cannot see pictures. Choose a model with vision on the account page.`,
    })
  const picture = await readPictureForModel(context, caller, id, signal)
  if (!picture) throw new Refusal('invalid', { fields: { fileId: reasonSentences.damaged } })
  return ask(request, { instructions: pictureInstructions, pictures: [picture] })
}

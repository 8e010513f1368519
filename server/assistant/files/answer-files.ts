import * as z from 'zod/mini'
import { FileName } from '#contract/files.ts'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import type { Tool } from '#server/platform/ai/types.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { toStorableText } from '#server/platform/database/storable.ts'
import { cleanMimeType, fileLimits, readySentence, type BlockFile } from './file-blocks.ts'

/** Stores the files of one answer. */
export type AnswerFiles = {
  /** Stores a file in the background. */
  add: (file: BlockFile) => void
  /** The tool with which a model makes a text file. */
  tool: Tool
  /** Waits until all files are stored. `correctText` corrects the sentences about those that could not be stored. */
  finish: () => Promise<{ hasFiles: boolean; correctText: (text: string) => string }>
}

/** Stores the files of an answer while it is written, so that its text can be corrected if one could not be stored. */
export function createAnswerFiles({ database }: Pick<AppContext, 'database'>, owner: string, messageId: string): AnswerFiles {
  let storing: Promise<unknown> = Promise.resolve()
  let count = 0
  const failures: { fileName: string; reason: string }[] = []

  /** Stores a file. Throws an error whose message tells the user why it could not be stored. */
  const store = async ({ fileName, mimeType, bytes }: BlockFile): Promise<void> => {
    if (count === fileLimits.count) throw new Error(`An answer has at most ${fileLimits.count} files.`)
    count++
    const insert = (): Promise<unknown> =>
      sql('insert into message_files (user_id, message_id, file_name, mime_type, file_size, bytes) values ($1, $2, $3, $4, $5, $6)', [
        owner,
        messageId,
        fileName,
        mimeType,
        bytes.byteLength,
        bytes,
      ])
    await database.batch(callerFor(owner), 'Stored a file of an answer', insert).catch((error: unknown) => {
      count--
      throw new Error('The account may have no space left.', { cause: error })
    })
  }

  return {
    add: (file) => {
      storing = storing
        .then(() => store(file))
        .catch((error: unknown) => failures.push({ fileName: file.fileName, reason: messageOf(error) }))
    },
    tool: createFileTool((file) =>
      store(file).catch((error: unknown) => {
        throw new Error(`The file could not be stored. ${messageOf(error)}`, { cause: error })
      }),
    ),
    finish: async () => {
      await storing
      const correctText = (text: string): string =>
        failures.reduce(
          (corrected, { fileName, reason }) =>
            corrected.replace(readySentence(fileName), () => `File "${fileName}" could not be stored. ${reason}`),
          text,
        )
      return { hasFiles: count > 0, correctText }
    },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const NewFile = z.object({ file_name: FileName, mime_type: z.string(), text: z.string() })

/** Creates the tool with which a model makes a text file. `add` throws an error with a message for the model. */
export const createFileTool = (add: (file: BlockFile) => Promise<void>): Tool => ({
  name: 'make_file',
  description:
    'Makes a text file, such as a CSV table or a letter, which the user can download and save. Do not repeat its text in the answer.',
  inputSchema: NewFile,
  run: async ({ file_name, mime_type, text }: z.output<typeof NewFile>) => {
    const bytes = Buffer.from(toStorableText(text))
    if (bytes.byteLength > fileLimits.bytes) throw new Refusal('too_large', { fields: { text: 'The file is larger than 10 MB.' } })
    await add({ fileName: file_name, mimeType: cleanMimeType(mime_type), bytes })
    return { is_ready: true, file_name }
  },
})

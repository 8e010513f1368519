import { queryOptions } from '@tanstack/react-query'
import { fileRoutes, type File } from '#contract/files.ts'
import type { TextReason } from '#contract/fileTexts.ts'
import { call } from '#web/lib/client.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import { fileKind, fileTextsTable } from '../kind/fileKind.ts'
import { findPreviewType } from './previewType.ts'

const waitingRefetchMs = 2000

/** Loads the text that the server has read from a file. Sends the request again until the server has read the text. */
export const fileTextQuery = (id: string) =>
  queryOptions({
    queryKey: [...recordKeys(fileKind.table).one(id), 'text'],
    meta: { tables: [fileKind.table, fileTextsTable] },
    queryFn: ({ signal }) => call(fileRoutes.text, { params: { id } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? waitingRefetchMs : false),
  })

/** Says why a file cannot be searched. */
export const describeReason = ({ file_type }: Pick<File, 'file_type'>, reason: TextReason): string =>
  reason === 'no_text' && findPreviewType(file_type) === 'text' ? 'The file has no text.' : reasonSentences[reason]

const reasonSentences: Readonly<Record<TextReason, string>> = {
  encrypted: 'The file is protected with a password, so its text cannot be searched.',
  damaged: 'The file is damaged, so its text cannot be searched.',
  too_large: 'The file is too large to search its text.',
  timeout: 'Reading the text of the file takes too long.',
  out_of_memory: 'Reading the text of the file takes too much memory.',
  unsupported: 'The text of files of this type cannot be searched.',
  no_text: 'The file has no text. It may be a scan or a picture.',
}

import * as z from 'zod/mini'
import { Refusal } from '#server/platform/refusal.ts'

const Cursor = z.tuple([z.string(), z.uuid()])

/** The end of a page: the sort value and the id of its last row. */
export type Cursor = z.infer<typeof Cursor>

/** Returns a text that is opaque to clients. */
export const writeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url')

/** Parses the text of `writeCursor`. Throws `invalid` for any other text. */
export function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  const { success, data } = Cursor.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')))
  if (!success || data[0].includes('\0')) throw new Refusal('invalid', { fields: { after: 'This is not the end of a page' } })
  return data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import * as z from 'zod/mini'
import { Refusal } from '#server/platform/refusal.ts'

const Cursor = z.tuple([z.string(), z.uuid()])

/** The position of a page's last row in a list: its sort value and its id. The next page starts after this row. */
export type Cursor = z.infer<typeof Cursor>

/** Formats a cursor as text, which clients send back unchanged. */
export const writeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url')

/** Parses a text of `writeCursor`. Throws `invalid` for any other text. */
export function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  const { success, data } = Cursor.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')))
  if (!success || data[0].includes('\0')) throw new Refusal('invalid', { fields: { after: 'This is not a valid page cursor' } })
  return data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

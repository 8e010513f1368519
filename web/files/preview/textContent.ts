import { infiniteQueryOptions } from '@tanstack/react-query'
import { fileRoutes, type File } from '#contract/files.ts'
import { recordKinds } from '#contract/kinds.ts'
import { callForFile } from '#web/lib/client.ts'

/** The number of bytes that are shown at first, and that "Show more" adds. */
const stepBytes = 1024 * 1024
/** The maximum number of bytes of a text on the page. More would make the page slow; the whole file can be downloaded. */
const maxBytes = 5 * stepBytes

type LoadedText = { text: string | undefined; loadedBytes: number }

/**
 * Loads the first bytes of a file as text. The next page begins with the same bytes and replaces the previous page, because a character may
 * be cut where a page ends. The text is undefined when the file contains no text. `loadedBytes` is the number of bytes that were decoded.
 */
export const textPages = ({ id, file_size }: Pick<File, 'id' | 'file_size'>) =>
  infiniteQueryOptions({
    queryKey: [recordKinds.file.table, 'text', id],
    queryFn: async ({ pageParam: limit, signal }): Promise<LoadedText> => {
      if (file_size === 0) return { text: '', loadedBytes: 0 } // the server refuses a range request for an empty file
      const { content } = await callForFile(fileRoutes.content, { params: { id } }, { firstBytes: limit, signal })
      return { text: decodeText(new Uint8Array(await content.arrayBuffer()), file_size > limit), loadedBytes: Math.min(limit, file_size) }
    },
    initialPageParam: stepBytes,
    getNextPageParam: ({ loadedBytes }) => (loadedBytes < Math.min(file_size, maxBytes) ? loadedBytes + stepBytes : undefined),
    getPreviousPageParam: () => undefined,
    maxPages: 1,
    staleTime: Infinity, // the bytes of a file never change
    gcTime: 0, // a text may be large
  })

/**
 * Decodes bytes as UTF-8 or, if they begin with a byte order mark, as UTF-16. Bytes that are not UTF-8 are read as Windows-1252, which most
 * older programs wrote. `isCut`: the last character may be incomplete. Returns undefined for bytes that are not text.
 */
export function decodeText(bytes: Uint8Array, isCut = false): string | undefined {
  const encoding = findEncoding(bytes)
  if (encoding === undefined && bytes.subarray(0, 8192).includes(0)) return undefined
  if (encoding !== undefined) return new TextDecoder(encoding).decode(bytes, { stream: isCut })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Returns the encoding that a byte order mark names. */
function findEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined
}

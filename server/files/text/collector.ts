import { maxTextLength, type TextReason } from '#contract/fileTexts.ts'

/** Collects the text of a document up to the maximum length. */
export type TextCollector = {
  /** Throws `TextIsFull` when the maximum is reached. */
  add: (text: string) => void
  /** Starts a page or slide. A document for which it is never called has no pages. */
  startPage: () => void
}

/** Ends the reading of a document of which enough has been read. */
class TextIsFull extends Error {}

/** The text of a document by pages, or the reason why there is none. Without `hasPages`, `pages` has the whole text as one element. */
export type DocumentText = { pages: readonly string[]; hasPages: boolean; isCut: boolean } | { reason: TextReason }

/** Adds the text of a document to a collector. */
export type Reader = (collector: TextCollector) => void | Promise<void>

/** Returns the text that the reader adds. Throws the errors of the reader. */
export async function collectText(read: Reader): Promise<DocumentText> {
  const collector = createTextCollector()
  try {
    await read(collector)
  } catch (error) {
    if (!(error instanceof TextIsFull)) throw error
  }
  const text = collector.finish()
  const hasText = text.pages.some((page) => /[\p{L}\p{N}]/u.test(page))
  return hasText ? text : { reason: 'no_text' }
}

function createTextCollector() {
  const pages: string[] = []
  let page = ''
  let length = 0
  let hasPages = false
  let isCut = false
  return {
    add: (text: string): void => {
      const room = maxTextLength - length
      page += text.slice(0, room)
      length += Math.min(room, text.length)
      if (text.length <= room) return
      isCut = true
      throw new TextIsFull()
    },
    startPage: (): void => {
      if (hasPages) {
        pages.push(page)
        page = ''
      }
      hasPages = true
    },
    finish: (): Exclude<DocumentText, { reason: unknown }> => ({ pages: [...pages, page].map(tidy), hasPages, isCut }),
  }
}

/**
 * Composes letters and accents, because other programs write them separately. Removes NUL, soft hyphens, spaces at the end of lines, and
 * all but one of several empty lines.
 */
const tidy = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\0\u00AD]/g, '')
    .replaceAll(/\r\n?/g, '\n')
    // the lookbehind begins a match only at the first space of several: otherwise the time grows with the square of their number
    .replaceAll(/(?<![^\S\n])[^\S\n]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .slice(0, maxTextLength)

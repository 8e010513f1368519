// Finds the files in the text of a model: blocks of the form `base64-file:name|mime type|description|base64`, also when they are split over
// many pieces.
import { cleanFileName } from '#contract/fileNames.ts'
import { toStorableText } from '#server/platform/database/storable.ts'

export type BlockFile = { fileName: string; mimeType: string; bytes: Buffer }

/** The maximum size of a file in an answer, in bytes, and the maximum number of files. */
export const fileLimits = { bytes: 10 * 1024 * 1024, count: 20 } as const

const marker = 'base64-file:'
/** The maximum length of the name, the type and the description together. A longer text after the marker is no file. */
const maxHeaderCharacters = 1000
const maxDataCharacters = Math.ceil(fileLimits.bytes / 3) * 4
/** Lines of base64 have one of these lengths if a program has wrapped them. Other line breaks end a file. */
const wrappedLengths = [64, 76]

/** What users see in place of a file. */
export const readySentence = (fileName: string): string => `File "${fileName}" is ready for download.`

type Block = { fileName: string; mimeType: string; data: string[]; length: number; lineLength: number }

/** Whether more text comes after the pieces that have arrived, or they are the complete text, or the text has broken off. */
type TextState = 'continues' | 'complete' | 'broken off'

/** Takes the files out of a streamed text. */
export type FileBlockExtractor = {
  /** Takes the next piece of text, and returns what is shown of it. */
  push: (piece: string) => string
  /** Returns what remains to be shown. `isComplete`: the text has not broken off. */
  end: (isComplete: boolean) => string
}

/**
 * Replaces each file in a streamed text by a sentence, and passes it to `onFile`. Text that may be the beginning of a block is held back
 * until this is known. PostgreSQL can store the returned text.
 */
export function createFileBlockExtractor(onFile: (file: BlockFile) => void): FileBlockExtractor {
  let waiting = ''
  let mode: 'text' | 'header' | Block = 'text'
  let fileCount = 0

  function readText(textState: TextState): string {
    const start = waiting.indexOf(marker)
    if (start >= 0) {
      const shown = waiting.slice(0, start)
      waiting = waiting.slice(start + marker.length)
      mode = 'header'
      return shown
    }
    const shown = waiting.slice(0, textState === 'continues' ? waiting.length - countHeldBack(waiting) : undefined)
    waiting = waiting.slice(shown.length)
    return shown
  }

  function readHeader(textState: TextState): string | undefined {
    const header = /^([^|\n]*)\|([^|\n]*)\|[^|\n]*\|/.exec(waiting)
    if (header && header[0].length <= maxHeaderCharacters) {
      waiting = waiting.slice(header[0].length)
      mode = { fileName: cleanFileName(header[1] ?? ''), mimeType: cleanMimeType(header[2] ?? ''), data: [], length: 0, lineLength: 0 }
      return ''
    }
    const isNoFile = header !== null || waiting.includes('\n') || waiting.length > maxHeaderCharacters || textState !== 'continues'
    if (!isNoFile) return undefined
    mode = 'text'
    return marker
  }

  /** Returns undefined if the next piece decides where the data ends. */
  function readData(block: Block, textState: TextState): string | undefined {
    for (;;) {
      const [run = ''] = /^[A-Za-z0-9+/=]+/.exec(waiting) ?? []
      if (block.length <= maxDataCharacters) block.data.push(run)
      block.length += run.length
      block.lineLength += run.length
      waiting = waiting.slice(run.length)
      const canWrap = wrappedLengths.includes(block.lineLength) && !run.endsWith('=')
      const [lineBreak] = canWrap ? (/^\r?\n(?=[A-Za-z0-9+/])/.exec(waiting) ?? []) : []
      if (lineBreak === undefined) {
        const isUndecided = waiting === '' || (canWrap && /^\r?\n?$/.test(waiting))
        if (isUndecided && textState === 'continues') return undefined
        mode = 'text'
        return finish(block, waiting !== '' || textState !== 'broken off')
      }
      waiting = waiting.slice(lineBreak.length)
      block.lineLength = 0
    }
  }

  function finish({ fileName, mimeType, data, length }: Block, isComplete: boolean): string {
    if (length > maxDataCharacters) return `File "${fileName}" is larger than 10 MB and was left out.`
    if (!isComplete) return `File "${fileName}" is not complete and was left out.`
    const base64 = data.join('')
    if (base64 === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.replace(/=+$/, '').length % 4 === 1)
      return `File "${fileName}" is damaged and was left out.`
    if (++fileCount > fileLimits.count) return `File "${fileName}" was left out, because an answer has at most ${fileLimits.count} files.`
    onFile({ fileName, mimeType, bytes: Buffer.from(base64, 'base64') })
    return readySentence(fileName)
  }

  function read(textState: TextState): string {
    let shown = ''
    for (;;) {
      const modeBefore = mode
      const text = mode === 'text' ? readText(textState) : mode === 'header' ? readHeader(textState) : readData(mode, textState)
      shown += text ?? ''
      if (text === undefined || mode === modeBefore) return toStorableText(shown)
    }
  }

  return {
    push: (piece) => {
      waiting += piece
      return read('continues')
    },
    end: (isComplete) => read(isComplete ? 'complete' : 'broken off'),
  }
}

/** Returns the number of code units at the end that may be the beginning of the marker, or the first half of a surrogate pair. */
function countHeldBack(text: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--)
    if (text.endsWith(marker.slice(0, length))) return length
  return /[\uD800-\uDBFF]$/.test(text) ? 1 : 0
}

/** Returns a MIME type in lower case; `application/octet-stream` for a malformed one. */
export const cleanMimeType = (text: string): string =>
  /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(text.trim()) ? text.trim().toLowerCase() : 'application/octet-stream'

/** Formats a file as a block. Replaces `|` in its name, because it separates the fields. */
export const formatFileBlock = ({ fileName, mimeType, bytes }: BlockFile): string =>
  `${marker}${fileName.replaceAll('|', '_')}|${mimeType}|file|${bytes.toString('base64')}`

/** Replaces the files in a complete text by the same sentences as `createFileBlockExtractor`. */
export function removeFileBlocks(text: string): string {
  const extractor = createFileBlockExtractor(() => {})
  return extractor.push(text) + extractor.end(true)
}

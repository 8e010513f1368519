import { findMatches, type TextRange } from '../textMatches.ts'

/** A rectangle over a found text, in fractions of the page. `match` counts the matches of the page from 0. */
export type PageMark = { match: number; left: number; top: number; width: number; height: number }

/** A piece of text on a page, which is a line or a part of one, and its element in the text layer. */
export type TextPiece = { text: string; endsLine: boolean; element: HTMLElement }

/** Finds the words of a search on a page. The rectangles are in fractions of the size of the element `page`. */
export function findPageMarks(pieces: readonly TextPiece[], search: string, page: HTMLElement): PageMark[] {
  /** The index in `text` where each piece begins. */
  const starts: number[] = []
  let text = ''
  for (const piece of pieces) {
    starts.push(text.length)
    text += piece.text + (piece.endsLine ? '\n' : '')
  }
  const box = page.getBoundingClientRect()
  if (box.width === 0 || box.height === 0) return []
  return findMatches(text, search).flatMap((range, match) =>
    getRectangles(pieces, starts, range).map(({ left, top, width, height }) => ({
      match,
      left: (left - box.left) / box.width,
      top: (top - box.top) / box.height,
      width: width / box.width,
      height: height / box.height,
    })),
  )
}

/** Returns a rectangle for each piece of text that a match covers. */
function getRectangles(pieces: readonly TextPiece[], starts: readonly number[], { start, end }: TextRange): DOMRect[] {
  return pieces.flatMap(({ text, element }, index) => {
    const pieceStart = starts[index] ?? 0
    const from = Math.max(start - pieceStart, 0)
    const to = Math.min(end - pieceStart, text.length)
    const node = element.firstChild
    if (from >= to || !node || !element.isConnected) return []
    const range = document.createRange()
    range.setStart(node, from)
    range.setEnd(node, to)
    return [...range.getClientRects()].filter(({ width }) => width > 0)
  })
}

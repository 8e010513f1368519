import type { Passage } from '#contract/lists.ts'

const maxPassages = 8
const minQuoteLength = 12
const maxQuoteLength = 400

/** The text of a file. `pages` are the positions at which its pages begin; null if it has none. */
type PagedText = { text: string; pages: readonly number[] | null }

/** Splits an answer into the analysis and the quotes, which are lines that begin with ">". */
export function splitQuotes(answer: string): { analysis: string; quotes: string[] } {
  const lines = answer.replaceAll(/\r\n?/g, '\n').split('\n')
  const isQuote = (line: string): boolean => /^\s*(?:[-*]\s+|\d+[.)]\s+)?>/.test(line)
  return {
    analysis: lines
      .filter((line) => !isQuote(line))
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
    quotes: lines.filter(isQuote).map((line) => line.replace(/^[^>]*>\s*/, '').trim()),
  }
}

/**
 * Returns the quotes that are in the file, as the file has them, in the order of the file. Case, white space, and the kinds of quotation
 * marks and dashes may differ, because models change them. Other quotes are left out: the model has made them up. Quotes with too few or
 * too many characters are left out too.
 */
export function findPassages({ text, pages }: PagedText, quotes: readonly string[]): Passage[] {
  const { folded, positions } = foldText(text)
  const passages = new Map<number, Passage>() // by their start
  for (const quote of quotes) {
    const foldedQuote = foldText(quote.replaceAll(/^["“”„«»']+|["“”„«»']+$/g, '')).folded.trim()
    if (foldedQuote.length < minQuoteLength || foldedQuote.length > maxQuoteLength) continue
    const index = folded.indexOf(foldedQuote)
    const start = positions[index]
    const last = positions[index + foldedQuote.length - 1]
    if (index === -1 || start === undefined || last === undefined || passages.has(start)) continue
    const passage = text.slice(start, last + 1).replaceAll(/\s+/g, ' ')
    passages.set(start, { text: passage, marks: [], page: findPage(pages, start) })
  }
  const inOrder = [...passages].toSorted(([one], [other]) => one - other).map(([, passage]) => passage)
  return inOrder.slice(0, maxPassages)
}

const findPage = (pages: readonly number[] | null, position: number): number | null =>
  pages && pages.filter((start) => start <= position).length

/** A text in lower case with single spaces and plain punctuation. `positions` has the index in the text for each index in `folded`. */
function foldText(text: string): { folded: string; positions: number[] } {
  const positions: number[] = []
  let folded = ''
  for (let index = 0; index < text.length; index++) {
    const character = foldCharacter(text.charAt(index))
    if (character === ' ' && (folded === '' || folded.endsWith(' '))) continue
    folded += character
    positions.push(index)
  }
  return { folded, positions }
}

/** Returns exactly one UTF-16 code unit, so that positions stay the same. */
function foldCharacter(character: string): string {
  if (/\s/.test(character)) return ' '
  if (/[“”„«»‟]/.test(character)) return '"'
  if (/[‘’‚‛′]/.test(character)) return "'"
  if (/[‐‑‒–—−]/.test(character)) return '-'
  const lower = character.toLowerCase()
  return lower.length === 1 ? lower : character
}

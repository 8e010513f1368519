import type { Passage } from '#contract/lists.ts'
import { AiFailure } from '#server/platform/ai/failure.ts'
import { ask, type AnalysisRequest } from './ask.ts'
import { combiningInstructions, partInstructions, wholeFileInstructions } from './instructions.ts'
import { findPassages, splitQuotes } from './quotes.ts'

/** The text of a file. `pages` are the positions at which its pages begin. `isCut`: the file has more than this text. */
type FileText = { text: string; pages: readonly number[] | null; isCut: boolean }
type Analysis = { analysis: string; passages: Passage[]; isCut: boolean }
type Answer = ReturnType<typeof splitQuotes>

/** Longer texts are cut, because each part costs a request. */
const maxCharacters = 100_000
/** The length of a part, which also fits into the context of small models. */
const partCharacters = 25_000

/** Analyses a text in one request, or part by part and then as a whole. Throws `AiFailure`. */
export async function analyzeText(request: AnalysisRequest, { text, pages, isCut }: FileText): Promise<Analysis> {
  const analyzedText = cutText(text, maxCharacters)
  const parts = splitIntoParts(analyzedText)
  const { analysis, quotes } = parts.length === 1 ? await analyzeWhole(request, analyzedText) : await analyzeParts(request, parts)
  if (analysis === '') throw new AiFailure('empty')
  return { analysis, passages: findPassages({ text: analyzedText, pages }, quotes), isCut: isCut || analyzedText.length < text.length }
}

async function analyzeWhole(request: AnalysisRequest, text: string): Promise<Answer> {
  const material = { description: 'The text of the file', text }
  return splitQuotes(await ask(request, { instructions: wholeFileInstructions, material }))
}

/** The parts are read one after the other, because a model on a small machine serves one request at a time. */
async function analyzeParts(request: AnalysisRequest, parts: readonly string[]): Promise<Answer> {
  const notes: Answer[] = []
  for (const [index, text] of parts.entries()) {
    const material = { description: `Part ${index + 1} of ${parts.length} of the text of the file`, text }
    notes.push(splitQuotes(await ask(request, { instructions: partInstructions, material })))
  }
  const text = notes.map(({ analysis }, index) => `Part ${index + 1}:\n${analysis}`).join('\n\n')
  const answer = await ask(request, { instructions: combiningInstructions, material: { description: 'The notes on the parts', text } })
  return { analysis: splitQuotes(answer).analysis, quotes: interleave(notes.map(({ quotes }) => quotes)) }
}

/** Splits a text into parts of about the same length, at the ends of paragraphs, lines or words where possible. */
function splitIntoParts(text: string): string[] {
  const count = Math.max(Math.ceil(text.length / partCharacters), 1)
  const parts: string[] = []
  let rest = text
  while (parts.length < count - 1) {
    const part = cutText(rest, Math.ceil(rest.length / (count - parts.length)))
    parts.push(part)
    rest = rest.slice(part.length)
  }
  return [...parts, rest]
}

/** Returns the beginning of a text, at most `length` characters, up to the end of a paragraph, a line or a word near its end. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const start = text.slice(0, length)
  const ends = ['\n\n', '\n', ' '].map((separator) => start.lastIndexOf(separator) + separator.length)
  return start.slice(0, ends.find((end) => end > length * 0.9) ?? length)
}

/** Returns the first quote of each part, then the second of each and so on, so that the passages cover all parts. */
const interleave = (lists: readonly string[][]): string[] =>
  Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat()

import { findMatches, splitWords, type TextRange } from './textMatches.ts'

/** A place in the text of a file where words of a search are. */
export type Hit = {
  /** Counts from 1; null in a text without pages. */
  page: number | null
  /** The index of the first match of this place among the matches of its page. */
  match: number
  /** The index of the same match among all matches of the file. */
  matchInFile: number
  /** The text around the matches, and the matches in it. */
  passage: string
  marks: readonly TextRange[]
}

const maxHits = 200
/** The number of characters of a passage, and how many of them may be before the first match. */
const passageLength = 160
const lengthBefore = 50

/**
 * Finds the places with words of a search in a text. `pages` are the positions at which its pages begin. If a search has several words,
 * returns only the places that contain the largest number of them. Returns at most 200 places.
 */
export function findHits(text: string, pages: readonly number[] | null, search: string): Hit[] {
  const words = splitWords(search)
  if (words.length === 0) return []
  const starts = pages ?? [0]
  const found: { hit: Hit; wordCount: number }[] = []
  let matchInFile = 0
  for (const [index, start] of starts.entries()) {
    const content = text.slice(start, starts[index + 1])
    const matches = findMatches(content, search)
    for (const group of groupMatches(matches)) {
      const passage = cutPassage(content, group.ranges)
      const wordCount = words.filter((word) => findMatches(passage.passage, word, 1).length > 0).length
      const hit = { page: pages && index + 1, match: group.first, matchInFile: matchInFile + group.first, ...passage }
      found.push({ hit, wordCount })
    }
    matchInFile += matches.length
  }
  const maxWordCount = found.reduce((max, { wordCount }) => Math.max(max, wordCount), 0)
  return found
    .filter(({ wordCount }) => wordCount === maxWordCount)
    .slice(0, maxHits)
    .map(({ hit }) => hit)
}

/** Groups the matches that fit into one passage. `first` is the index of the first match of the group. */
function groupMatches(matches: readonly TextRange[]): { first: number; ranges: TextRange[] }[] {
  const groups: { first: number; ranges: TextRange[] }[] = []
  for (const [index, range] of matches.entries()) {
    const group = groups.at(-1)
    const start = group?.ranges[0]?.start
    if (group && start !== undefined && range.end <= start + passageLength - lengthBefore) group.ranges.push(range)
    else groups.push({ first: index, ranges: [range] })
  }
  return groups
}

/** Cuts the passage around the matches out of a text. The passage contains only whole words. */
function cutPassage(text: string, ranges: readonly TextRange[]): Pick<Hit, 'passage' | 'marks'> {
  const first = ranges[0]?.start ?? 0
  const earliest = Math.max(first - lengthBefore, 0)
  // the passage begins after the first space, so that it begins with a whole word
  const space = earliest === 0 ? -1 : text.slice(earliest, first).search(/\s\S/)
  const start = space < 0 ? earliest : earliest + space + 1
  // it ends before the first space after its full length, and contains all matches
  const latest = Math.max(start + passageLength, ranges.at(-1)?.end ?? 0)
  const end = latest >= text.length ? text.length : latest + Math.max(text.slice(latest).search(/\s/), 0)
  // the ellipsis at the beginning moves the marks to the right
  const prefix = start > 0 ? '…' : ''
  return {
    passage: prefix + text.slice(start, end).replaceAll(/\s/g, ' ') + (end < text.length ? '…' : ''),
    marks: ranges.map((range) => ({ start: range.start - start + prefix.length, end: range.end - start + prefix.length })),
  }
}

/** A part of a text: from the character `start` to the character before `end`. */
export type TextRange = { start: number; end: number }

type Letters = Readonly<Record<string, string>>

/**
 * Folding replaces letters by simpler ones. Unicode cannot decompose these letters; the search on the server replaces them in the same way.
 */
const foldedLetters: Letters = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ς: 'σ' }
/** The second way to fold letters, so that the search "Mueller" finds "Müller" as well. */
const respelledLetters: Letters = { ...foldedLetters, ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

const wordCharacter = /[\p{L}\p{N}]/u

/**
 * Finds the words of a search in a text, as the search on the server does: case and accents do not matter, and a word of the search matches
 * the beginning of a word of the text. Matches with only spaces between them are one match. Stops after `max` matches of a word.
 */
export function findMatches(text: string, search: string, max = 2000): TextRange[] {
  const words = splitWords(search)
  if (words.length === 0) return []
  // the text in one or two spellings: "Muller" and "Mueller" for "Müller"
  const spellings = /[äöüøå]/i.test(text)
    ? [foldText(text, foldedLetters), foldText(text, respelledLetters)]
    : [foldText(text, foldedLetters)]
  const matches = spellings.flatMap((spelling) => words.flatMap((word) => findWord(spelling, word, max)))
  return joinMatches(
    // by start; of two matches with the same start, the longer one first
    matches.toSorted((first, second) => first.start - second.start || second.end - first.end),
    text,
  )
}

/** Returns the different words of a search, folded in the same way as the text. */
export function splitWords(search: string): string[] {
  const { folded } = foldText(search, foldedLetters)
  return [...new Set(folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))]
}

/** A text in lower case without accents. `positions` has, for each index in `folded` and for its end, the index in the original text. */
type FoldedText = { folded: string; positions: readonly number[] }

/**
 * Finds the places where a word of the text begins with `word`. If `word` is a single Latin letter or digit, it must be the whole word, as
 * in the search on the server.
 */
function findWord({ folded, positions }: FoldedText, word: string, max: number): TextRange[] {
  const isWholeWord = /^[a-z0-9]$/.test(word)
  const matches: TextRange[] = []
  for (let start = folded.indexOf(word); start >= 0 && matches.length < max; start = folded.indexOf(word, start + word.length)) {
    const end = start + word.length
    const isMatch = !wordCharacter.test(folded.charAt(start - 1)) && !(isWholeWord && wordCharacter.test(folded.charAt(end)))
    if (isMatch) matches.push({ start: positions[start] ?? 0, end: positions[end] ?? folded.length })
  }
  return matches
}

function foldText(text: string, letters: Letters): FoldedText {
  let folded = ''
  const positions: number[] = []
  let index = 0
  for (const character of text) {
    const plain = character.charCodeAt(0) < 128 ? character.toLowerCase() : foldCharacter(character.toLowerCase(), letters)
    for (let part = 0; part < plain.length; part += 1) positions.push(index)
    folded += plain
    index += character.length
  }
  positions.push(text.length)
  return { folded, positions }
}

const foldCharacter = (character: string, letters: Letters): string =>
  letters[character] ?? character.normalize('NFKD').replaceAll(/\p{M}/gu, '') // splits off the accents and removes them

/** Joins matches that overlap or have only spaces between them. */
function joinMatches(matches: readonly TextRange[], text: string): TextRange[] {
  const joined: TextRange[] = []
  for (const match of matches) {
    const last = joined.at(-1)
    if (last && text.slice(last.end, match.start).trim() === '') last.end = Math.max(last.end, match.end)
    else joined.push({ ...match })
  }
  return joined
}

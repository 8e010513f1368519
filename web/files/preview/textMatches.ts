/** A part of a text: from the character `start` to the character before `end`. */
export type TextRange = { start: number; end: number }

const wordCharacter = /[\p{L}\p{N}]/u

/**
 * Finds the words of a search in a text, as the search on the server does: case and accents do not matter, and a word of the search matches
 * the beginning of a word of the text. Matches with only spaces between them are one match. Stops after `max` matches.
 */
export function findMatches(text: string, search: string, max = 2000): TextRange[] {
  const words = splitWords(search)
  if (words.length === 0) return []
  const { folded, positions } = foldText(text)
  const matches: TextRange[] = []
  for (const word of words) {
    let start = folded.indexOf(word)
    while (start >= 0 && matches.length < max) {
      const end = start + word.length
      const before = folded.charAt(start - 1)
      if (!wordCharacter.test(before)) matches.push({ start: positions[start] ?? 0, end: positions[end] ?? text.length })
      start = folded.indexOf(word, end)
    }
  }
  return joinMatches(
    matches.toSorted((first, second) => first.start - second.start || second.end - first.end),
    text,
  )
}

/** Returns the different words of a search, folded like the text. */
function splitWords(search: string): string[] {
  const { folded } = foldText(search)
  return [...new Set(folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))]
}

/** Removes case and accents. `positions` has the index in the original text for each index of the folded text, and for its end. */
function foldText(text: string): { folded: string; positions: number[] } {
  let folded = ''
  const positions: number[] = []
  let index = 0
  for (const character of text) {
    const plain = character.charCodeAt(0) < 128 ? character : character.normalize('NFKD').replaceAll(/\p{M}/gu, '')
    const lower = plain.toLowerCase()
    for (let part = 0; part < lower.length; part += 1) positions.push(index)
    folded += lower
    index += character.length
  }
  positions.push(text.length)
  return { folded, positions }
}

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

const partLength = 2000

/** Splits a text into parts of about 2,000 UTF-16 code units. No word is in two parts, unless it is longer than half of a part. */
export function splitText(text: string): string[] {
  const parts: string[] = []
  let start = 0
  while (start < text.length) {
    const end = findEnd(text, start)
    parts.push(text.slice(start, end))
    start = end
  }
  return parts
}

function findEnd(text: string, start: number): number {
  const latest = start + partLength
  if (latest >= text.length) return text.length
  const secondHalf = text.slice(start + partLength / 2, latest)
  const space = /\s\S*$/u.exec(secondHalf) // the last space
  if (space) return start + partLength / 2 + space.index + 1
  const splitsCharacter = /[\uD800-\uDBFF]/.test(text.charAt(latest - 1)) // the first of two code units of a character
  return splitsCharacter ? latest - 1 : latest
}

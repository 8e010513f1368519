const partLength = 2000

/** Splits a text into parts of about 2,000 UTF-16 code units. No word is in two parts, unless it is longer than half of a part. */
export function splitText(text: string): string[] {
  const parts: string[] = []
  for (let start = 0; start < text.length;) {
    const end = findEnd(text, start)
    parts.push(text.slice(start, end))
    start = end
  }
  return parts
}

function findEnd(text: string, start: number): number {
  const latest = start + partLength
  if (latest >= text.length) return text.length
  const tail = text.slice(start + partLength / 2, latest)
  const space = /\s\S*$/u.exec(tail)
  if (space) return start + partLength / 2 + space.index + 1
  const isInsidePair = /[\uD800-\uDBFF]/.test(text.charAt(latest - 1))
  return isInsidePair ? latest - 1 : latest
}

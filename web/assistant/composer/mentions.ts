/** The text after "@" that the user is typing, and where it begins and ends in the message. */
export type TypedMention = { search: string; start: number; end: number }

const maxSearchCharacters = 60

/**
 * Returns the mention before the cursor: the text since the last "@" at the beginning of a word. A mention has at most three words, so that
 * the list closes when the sentence goes on.
 */
export function findTypedMention(text: string, cursor: number): TypedMention | undefined {
  const before = text.slice(Math.max(0, cursor - maxSearchCharacters), cursor)
  const match = /(?:^|[\s([{"'])@(?<search>(?:[^\s@]+ ){0,2}[^\s@]*)$/u.exec(before)
  const search = match?.groups?.['search']
  return search === undefined ? undefined : { search, start: cursor - search.length - 1, end: cursor }
}

/** Replaces a mention by the title of a record. Returns the text and the position of the cursor after the title. */
export function insertMention(text: string, { start, end }: TypedMention, title: string): { text: string; cursor: number } {
  const inserted = `@${title} `
  const rest = text.slice(end).replace(/^ /, '')
  return { text: `${text.slice(0, start)}${inserted}${rest}`, cursor: start + inserted.length }
}

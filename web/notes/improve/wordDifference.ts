import { diffWordsWithSpace } from 'diff'

/** A part of two texts: in both, only in the old one, or only in the new one. */
export type DifferencePart = { kind: 'same' | 'removed' | 'added'; text: string }

/** Two long texts with no common words would need many seconds to compare. */
const timeoutMs = 500

/**
 * Compares two texts word by word. Changes with only spaces between them are one change. Texts that differ too much to be compared are one
 * removed and one added part.
 */
export function compareWords(oldText: string, newText: string): DifferencePart[] {
  const changes = diffWordsWithSpace(oldText, newText, { timeout: timeoutMs })
  if (!changes) return joinParts([toPart('removed', oldText), toPart('added', newText)])
  const parts = changes.map(({ added, removed, value }) => toPart(added ? 'added' : removed ? 'removed' : 'same', value))
  return joinParts(
    parts.flatMap((part, index) => {
      const isBetweenChanges = /^[^\S\n]+$/.test(part.text) && index > 0 && index < parts.length - 1
      return part.kind === 'same' && isBetweenChanges ? [toPart('removed', part.text), toPart('added', part.text)] : [part]
    }),
  )
}

const toPart = (kind: DifferencePart['kind'], text: string): DifferencePart => ({ kind, text })

/** Joins the removed and the added parts of each change: the removed ones are first. */
function joinParts(parts: readonly DifferencePart[]): DifferencePart[] {
  const joined: DifferencePart[] = []
  let change = { removed: '', added: '' }
  const addChange = (): void => {
    if (change.removed !== '') joined.push(toPart('removed', change.removed))
    if (change.added !== '') joined.push(toPart('added', change.added))
    change = { removed: '', added: '' }
  }
  for (const { kind, text } of parts) {
    if (kind !== 'same') {
      change[kind] += text
      continue
    }
    addChange()
    joined.push(toPart(kind, text))
  }
  addChange()
  return joined
}

/** Returns the number of words in the parts of this kind. */
export const countWords = (parts: readonly DifferencePart[], kind: DifferencePart['kind']): number =>
  parts
    .filter((part) => part.kind === kind)
    .map(({ text }) => text.match(/[\p{L}\p{M}\p{N}]+/gu)?.length ?? 0)
    .reduce((sum, count) => sum + count, 0)

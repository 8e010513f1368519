import { useEffect, useMemo, useRef } from 'react'
import classes from './Preview.module.css'
import { findMatches, type TextRange } from './textMatches.ts'
import type { Jump } from './viewProps.ts'

type MarkedTextProps = { text: string; search: string; jump: Jump | undefined; isWrapped?: boolean }

/** A text in which the words of a search are marked. */
export function MarkedText({ text, search, jump, isWrapped = true }: MarkedTextProps) {
  const matches = useMemo(() => findMatches(text, search), [text, search])
  const element = useRef<HTMLPreElement>(null)
  /** The index of the match that the user has jumped to. */
  const activeMatch = jump && Math.min(jump.matchInFile, matches.length - 1)
  const shownJump = useRef<Jump>(undefined)
  useEffect(() => {
    if (!jump || jump === shownJump.current || matches.length === 0) return
    shownJump.current = jump // the text may grow afterwards, which must not scroll again
    element.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'center', inline: 'nearest' })
  }, [jump, matches])
  return (
    <pre ref={element} className={classes['text']} data-wrapped={isWrapped || undefined}>
      {splitText(text, matches).map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of a text have no ids
          <mark key={index} className={classes['found']} data-active={(index - 1) / 2 === activeMatch || undefined}>
            {part}
          </mark>
        ),
      )}
    </pre>
  )
}

/** Splits a text into the parts before, in and between the matches. The parts with odd indexes are matches. */
function splitText(text: string, matches: readonly TextRange[]): string[] {
  const parts: string[] = []
  let position = 0
  for (const { start, end } of matches) {
    parts.push(text.slice(position, start), text.slice(start, end))
    position = end
  }
  return [...parts, text.slice(position)]
}

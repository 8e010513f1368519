import { Fragment } from 'react'
import type { Passage } from '#contract/lists.ts'
import classes from './fileColumns.module.css'

/** The maximum number of characters before the first marked word of a short passage. */
const maxCharactersBefore = 16

type PassageLineProps = {
  passage: Passage
  /** Begins shortly before the first mark and leaves out the page, so that the mark is visible in a narrow line. */
  isShort?: boolean
}

/** The part of the text of a file in which a search found words. The words are marked. */
export function PassageLine({ passage: { text, marks, page }, isShort = false }: PassageLineProps) {
  const start = isShort ? findShortStart(text, marks[0]?.start ?? 0) : 0
  /** Where the text before each mark begins: at the start, or at the end of the mark before. */
  const textStarts = [start, ...marks.map(({ end }) => end)]
  return (
    <div className={classes['passage']} title={text}>
      {page !== null && !isShort && <span className={classes['page']}>Page {page}: </span>}
      {start > 0 && '… '}
      {marks.map(({ start: markStart, end }, index) => (
        <Fragment key={markStart}>
          {text.slice(textStarts[index], markStart)}
          <mark>{text.slice(markStart, end)}</mark>
        </Fragment>
      ))}
      {text.slice(textStarts.at(-1))}
    </div>
  )
}

/** Returns where the text begins: at the start of a word, at most `maxCharactersBefore` before the mark. */
function findShortStart(text: string, markStart: number): number {
  if (markStart <= maxCharactersBefore) return 0
  const space = text.indexOf(' ', markStart - maxCharactersBefore)
  return space === -1 || space >= markStart ? markStart : space + 1
}

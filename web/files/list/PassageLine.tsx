import { Fragment } from 'react'
import type { Passage } from '#contract/lists.ts'
import classes from './fileColumns.module.css'

/** The part of the text of a file in which a search found words. The words are marked. */
export function PassageLine({ passage: { text, marks, page } }: { passage: Passage }) {
  const ends = [0, ...marks.map(({ end }) => end)]
  return (
    <div className={classes['passage']} title={text}>
      {page !== null && <span className={classes['page']}>Page {page}: </span>}
      {marks.map(({ start, end }, index) => (
        <Fragment key={start}>
          {text.slice(ends[index], start)}
          <mark>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(ends.at(-1))}
    </div>
  )
}

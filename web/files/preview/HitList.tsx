import { Fragment, useEffect, useRef } from 'react'
import type { Hit } from './hits.ts'
import classes from './Panel.module.css'

type HitListProps = {
  hits: readonly Hit[]
  /** The index of the place that is shown; -1 for none. */
  current: number
  onOpen: (index: number) => void
}

/** The places where a search found words. */
export function HitList({ hits, current, onOpen }: HitListProps) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    if (current >= 0) list.current?.children[current]?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <ol ref={list} className={classes['hits']}>
      {hits.map((hit, index) => (
        <li key={hit.matchInFile}>
          <button type="button" className={classes['hit']} aria-current={index === current || undefined} onClick={() => onOpen(index)}>
            {hit.page !== null && <span className={classes['page']}>Page {hit.page}</span>}
            <span className={classes['passage']}>
              <Passage hit={hit} />
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}

/** A passage with its marked words. */
const Passage = ({ hit: { passage, marks } }: { hit: Hit }) => (
  <>
    {marks.map(({ start, end }, index) => (
      <Fragment key={start}>
        {passage.slice(marks[index - 1]?.end ?? 0, start)}
        <mark>{passage.slice(start, end)}</mark>
      </Fragment>
    ))}
    {passage.slice(marks.at(-1)?.end ?? 0)}
  </>
)

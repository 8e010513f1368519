import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { sentenceOf } from '#web/lib/toasts.ts'
import classes from './Tile.module.css'

type TileProps<Answer> = {
  title: string
  /** How many there are, beside the title. */
  count?: ((answer: Answer) => string | undefined) | undefined
  /** The way to the list. */
  link?: ReactNode
  query: UseQueryResult<Answer>
  /** What kind of content it takes room for before it is there. */
  size: 'lines' | 'bars' | 'columns'
  children: (answer: Answer) => ReactNode
}

/** A piece of the dashboard: what it is, the way to the whole, and a glance at it. */
export function Tile<Answer>({ title, count, link, query, size, children }: TileProps<Answer>) {
  const name = useId()
  const { data: answer, error } = query
  return (
    <section className={classes['tile']} aria-labelledby={name} aria-busy={query.isPending}>
      <header className={classes['head']}>
        <h2 id={name}>{title}</h2>
        {answer !== undefined && <span className={classes['count']}>{count?.(answer)}</span>}
        {link}
      </header>
      <div className={classes['content']} data-size={size}>
        {answer !== undefined && children(answer)}
        {answer === undefined && error && <Failed title={title} query={query} />}
        {query.isPending && <Waiting />}
      </div>
    </section>
  )
}

function Failed({ title, query: { error, refetch, isFetching } }: { title: string; query: UseQueryResult }) {
  return (
    <div className={classes['failed']} role="alert">
      <p>
        {title} could not be loaded. {sentenceOf(error)}
      </p>
      <Button variant="default" onClick={() => void refetch()} loading={isFetching}>
        Try again
      </Button>
    </div>
  )
}

const widths = [0.72, 0.55, 0.81, 0.63, 0.7]

const Waiting = () => (
  <output className={classes['waiting']} aria-label="Loading">
    {widths.map((width) => (
      <span key={width} style={{ width: `${width * 100}%` }} />
    ))}
  </output>
)

import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { describeError } from '#web/lib/toasts.ts'
import classes from './Tile.module.css'

type TileProps<Content> = {
  title: string
  /** Returns the text next to the title, for example a number. */
  getSummary?: ((content: Content) => string | undefined) | undefined
  /** A link to the whole list. */
  link?: ReactNode
  query: UseQueryResult<Content>
  /** The layout of the content. It sets the minimum height, so that the tile does not grow when the content is loaded. */
  layout: 'lines' | 'double lines' | 'bars' | 'columns' | 'single bar'
  /** True if the tile fills the row. */
  isWide?: boolean
  children: (content: Content) => ReactNode
}

/** A tile of the dashboard, with its loading and failed states. */
export function Tile<Content>({ title, getSummary, link, query, layout, isWide = false, children }: TileProps<Content>) {
  const headingId = useId()
  const { data: content, error } = query
  return (
    <section className={classes['tile']} aria-labelledby={headingId} data-wide={isWide || undefined} aria-busy={query.isPending}>
      <header className={classes['head']}>
        <h2 id={headingId}>{title}</h2>
        {content !== undefined && <span className={classes['summary']}>{getSummary?.(content)}</span>}
        {link}
      </header>
      <div className={classes['content']} data-layout={layout}>
        {content !== undefined && children(content)}
        {content === undefined && error && <Failed title={title} query={query} />}
        {query.isPending && <Loading lineCount={layout === 'single bar' ? 1 : placeholderWidths.length} />}
      </div>
    </section>
  )
}

function Failed({ title, query: { error, refetch, isFetching } }: { title: string; query: UseQueryResult }) {
  return (
    <div className={classes['failed']} role="alert">
      <p>
        {title} could not be loaded. {describeError(error)}
      </p>
      <Button variant="default" onClick={() => void refetch()} loading={isFetching}>
        Try again
      </Button>
    </div>
  )
}

/** The widths of the placeholder lines, as fractions of the tile. */
const placeholderWidths = [0.72, 0.55, 0.81, 0.63, 0.7]

const Loading = ({ lineCount }: { lineCount: number }) => (
  <output className={classes['loading']} aria-label="Loading">
    {placeholderWidths.slice(0, lineCount).map((width) => (
      <span key={width} style={{ width: `${width * 100}%` }} />
    ))}
  </output>
)

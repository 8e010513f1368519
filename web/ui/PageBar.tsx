import { createContext, Fragment, useContext, useEffect, type ReactNode } from 'react'
import { IconChevronRight } from '@tabler/icons-react'
import classes from './PageBar.module.css'

/** What stands at the very left of every page bar: the shell puts the button there that opens the navigation on a phone. */
export const PageBarLead = createContext<ReactNode>(null)

type PageBarProps = {
  /** The page's heading, and the tab's title. */
  title: string
  /** How many there are, as text; null while that is not known yet, so that nothing moves when it arrives. */
  count?: string | null
  /** Links to what lies above this page: then the title is the last part of the path. */
  breadcrumb?: ReactNode[]
  actions?: ReactNode
}

/** The bar on top of every page: what this is, how many, and what to do first. */
export function PageBar({ title, count, breadcrumb, actions }: PageBarProps) {
  const lead = useContext(PageBarLead)
  useEffect(() => {
    document.title = `${title} - Foyer`
  }, [title])
  return (
    <header className={classes['bar']} data-line={breadcrumb !== undefined || undefined}>
      {lead}
      {breadcrumb ? <Path steps={breadcrumb} title={title} /> : <h1 className={classes['title']}>{title}</h1>}
      {count !== undefined && <Count count={count} />}
      <div className={classes['actions']}>{actions}</div>
    </header>
  )
}

function Path({ steps, title }: { steps: ReactNode[]; title: string }) {
  return (
    <nav className={classes['path']} aria-label="Breadcrumb">
      {steps.map((step, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a path has no other identity
        <Fragment key={index}>
          <span className={classes['step']}>{step}</span>
          <IconChevronRight size={14} stroke={1.75} aria-hidden="true" />
        </Fragment>
      ))}
      <h1 className={classes['here']} title={title}>
        {title}
      </h1>
    </nav>
  )
}

function Count({ count }: { count: string | null }) {
  if (count === null) return <span className={classes['counting']} aria-hidden="true" />
  return <span className={classes['count']}>{count}</span>
}

import { createContext, Fragment, useContext, useEffect, type ReactNode } from 'react'
import { IconChevronRight } from '@tabler/icons-react'
import classes from './PageBar.module.css'

/** The first element of every page bar. On phones the shell sets it to the button that opens the navigation. */
export const PageBarStartContext = createContext<ReactNode>(null)

type PageBarProps = {
  /** The heading of the page. */
  title: string
  /** The title of the tab, if it is not the heading. */
  tabTitle?: string
  /** The text beside the title, usually a number of records. Null while it is being loaded; the bar then keeps space free for it. */
  count?: string | null
  /** The links to the parent pages. The title is the last part of the breadcrumb. */
  breadcrumb?: ReactNode[]
  /** Shows the title after a breadcrumb in the size of a title without a breadcrumb, and no line below the bar. */
  isTitleLarge?: boolean
  /** Buttons next to the title. */
  titleButtons?: ReactNode
  actions?: ReactNode
}

/** The bar at the top of every page, with title, count and actions. */
export function PageBar({ title, tabTitle = title, count, breadcrumb, isTitleLarge = false, titleButtons, actions }: PageBarProps) {
  const start = useContext(PageBarStartContext)
  useEffect(() => {
    document.title = `${tabTitle} - Foyer`
  }, [tabTitle])
  return (
    <header
      className={classes['bar']}
      data-line={(breadcrumb !== undefined && !isTitleLarge) || undefined}
      data-large={isTitleLarge || undefined}
    >
      {start}
      <div className={classes['heading']}>
        {breadcrumb ? (
          <Breadcrumb steps={breadcrumb} title={title} />
        ) : (
          <h1 className={classes['title']} dir="auto">
            {title}
          </h1>
        )}
        {count !== undefined && <Count count={count} />}
      </div>
      {titleButtons}
      <div className={classes['actions']}>{actions}</div>
    </header>
  )
}

function Breadcrumb({ steps, title }: { steps: ReactNode[]; title: string }) {
  return (
    <nav className={classes['path']} aria-label="Breadcrumb">
      {steps.map((step, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the steps have no ids
        <Fragment key={index}>
          <span className={classes['step']}>{step}</span>
          <IconChevronRight size={14} stroke={1.75} aria-hidden="true" />
        </Fragment>
      ))}
      <h1 className={classes['current']} dir="auto" title={title}>
        {title}
      </h1>
    </nav>
  )
}

/** Screen readers announce the count when it changes, for example after a search. */
function Count({ count }: { count: string | null }) {
  if (count === null) return <span className={classes['countLoading']} aria-hidden="true" />
  return <output className={classes['count']}>{count}</output>
}

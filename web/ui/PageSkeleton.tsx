import { IconMenu2, IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import bar from './PageBar.module.css'
import tabClasses from './TabLinks.module.css'
import classes from './PageSkeleton.module.css'

type PageSkeletonProps = {
  /** Without a title, a placeholder is shown. */
  title?: string | undefined
  tabs?: readonly string[] | undefined
  /** The label of the search field. Without it, no toolbar is shown. */
  searchLabel?: string | undefined
  children?: ReactNode
}

/** The page bar, the tabs and the toolbar of a page that has not been loaded. Nothing in it can be used. */
export const PageSkeleton = ({ title, tabs, searchLabel, children }: PageSkeletonProps) => (
  <div className={classes['page']}>
    <div className={bar['bar']}>
      <span className={classes['menu']}>
        <IconMenu2 size={20} stroke={1.6} />
      </span>
      {title === undefined ? <span className={classes['title']} /> : <span className={bar['title']}>{title}</span>}
      <span className={bar['actions']}>{title !== undefined && <span className={classes['button']} />}</span>
    </div>
    {tabs && (
      <div className={tabClasses['tabs']}>
        {tabs.map((label, index) => (
          <span key={label} className={tabClasses['tab']} aria-current={index === 0 || undefined}>
            {label}
          </span>
        ))}
      </div>
    )}
    {searchLabel !== undefined && (
      <div className={classes['tools']}>
        <span className={classes['search']}>
          <IconSearch size={16} stroke={1.75} />
          <span>{searchLabel}</span>
        </span>
      </div>
    )}
    {children}
  </div>
)

/** Placeholders for the rows of a list, with the height of real rows. Rows that do not fit into the window are cut off. */
export const RowsSkeleton = ({ count = 24 }: { count?: number }) => (
  <div className={classes['rows']}>
    {Array.from({ length: count }, (_, row) => (
      <div key={row} className={classes['row']}>
        <span className={classes['avatar']} />
        <span className={classes['name']} />
        <span className={classes['cell']} />
        <span className={classes['cell']} />
        <span className={classes['cell']} />
      </div>
    ))}
  </div>
)

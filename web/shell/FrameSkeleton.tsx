import type { ReactNode } from 'react'
import { IconChevronDown, IconLayoutSidebar, IconLogout, IconSearch } from '@tabler/icons-react'
import type { SidebarEntry } from '#web/lib/routes.ts'
import { Logo } from '#web/ui/Logo.tsx'
import frame from './Frame.module.css'
import sidebar from './Sidebar.module.css'
import classes from './FrameSkeleton.module.css'

type FrameSkeletonProps = {
  entries: readonly SidebarEntry[]
  currentEntry: SidebarEntry | undefined
  title: string
  children: ReactNode
}

/**
 * The placeholder of the sidebar and the page that the document shows before the application has started. It covers the empty root element
 * of the application and is removed when the first screen is rendered. Nothing in it can be focused or pressed, and screen readers read
 * only that the page is loading. A script in the document sets `data-collapsed` on elements with `data-can-collapse`.
 */
export const FrameSkeleton = ({ entries, currentEntry, title, children }: FrameSkeletonProps) => (
  <output id="skeleton" className={classes['skeleton']} aria-busy="true" aria-label={`Loading ${title}`}>
    <div className={frame['frame']} data-can-collapse inert aria-hidden="true">
      <div className={`${sidebar['sidebar']} ${classes['sidebar']}`} data-can-collapse>
        <div className={sidebar['head']}>
          <span className={`${sidebar['brand']} ${classes['wide']}`}>
            <Logo size={20} />
            <span className={sidebar['word']}>Foyer</span>
          </span>
          <span className={classes['toggle']}>
            <IconLayoutSidebar size={16} stroke={1.75} />
          </span>
        </div>
        <div className={sidebar['search']}>
          <IconSearch size={16} stroke={1.75} />
          <span className={sidebar['label']}>Search</span>
        </div>
        <SidebarLinks entries={entries} currentEntry={currentEntry} />
        <div className={sidebar['account']}>
          <span className={classes['avatar']} />
          <span className={`${classes['bar']} ${classes['wide']}`} />
        </div>
      </div>
      <div className={frame['main']}>{children}</div>
    </div>
  </output>
)

function SidebarLinks({ entries, currentEntry }: Pick<FrameSkeletonProps, 'entries' | 'currentEntry'>) {
  const bottomEntries = entries.filter(({ position }) => position === 'bottom')
  const groups = [
    ...Map.groupBy(
      entries.filter(({ position }) => position !== 'bottom'),
      ({ group }) => group?.label,
    ),
  ]
  return (
    <div className={sidebar['links']}>
      <div className={sidebar['scroll']}>
        {groups.map(([label, members]) => (
          <div key={label ?? ''} className={sidebar['group']}>
            {label && (
              <div className={`${sidebar['groupHead']} ${classes['wide']}`}>
                {label}
                <IconChevronDown size={12} stroke={1.75} />
              </div>
            )}
            {members.map((entry) => (
              <SidebarLink key={entry.address} {...entry} isCurrent={entry === currentEntry} />
            ))}
          </div>
        ))}
      </div>
      <div className={sidebar['bottom']}>
        {bottomEntries.map((entry) => (
          <SidebarLink key={entry.address} {...entry} isCurrent={entry === currentEntry} />
        ))}
        <SidebarLink label="Sign Out" icon={IconLogout} isCurrent={false} />
      </div>
    </div>
  )
}

const SidebarLink = ({ label, icon: Icon, isCurrent }: Pick<SidebarEntry, 'label' | 'icon'> & { isCurrent: boolean }) => (
  <div className={sidebar['link']} aria-current={isCurrent || undefined}>
    <Icon size={16} stroke={1.75} />
    <span className={sidebar['label']}>{label}</span>
  </div>
)

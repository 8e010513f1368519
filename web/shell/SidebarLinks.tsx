import { useState, type ReactNode } from 'react'
import { IconChevronDown, IconChevronRight, IconLogout } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import type { SidebarEntry } from '#web/lib/routes.ts'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { features } from './features.ts'
import { signOutWithToast } from './signOut.ts'
import classes from './Sidebar.module.css'

/** The entries of all features, in the order of the sidebar. */
export const entries: SidebarEntry[] = features.flatMap((feature) => ('sidebar' in feature ? [feature.sidebar] : []))
const groups = [...Map.groupBy(entries, ({ group }) => group?.label)]
const bottomEntries = entries.filter(({ position }) => position === 'bottom')

/** The links of the sidebar, with Trash and Sign Out at the bottom. `onNavigate` is called when a link is clicked. */
export function SidebarLinks({ isCollapsed = false, onNavigate }: { isCollapsed?: boolean; onNavigate?: () => void }) {
  return (
    <div className={classes['links']}>
      <div className={classes['scroll']}>
        {groups.map(([label, members]) => (
          <SidebarGroup key={label ?? 'main'} label={label} prefix={members[0]?.group?.prefix} isCollapsed={isCollapsed}>
            {members
              .filter(({ position }) => position !== 'bottom')
              .map((entry) => (
                <SidebarLink key={entry.address} entry={entry} isCollapsed={isCollapsed} onNavigate={onNavigate} />
              ))}
          </SidebarGroup>
        ))}
      </div>
      <nav className={classes['bottom']} aria-label="More">
        {bottomEntries.map((entry) => (
          <SidebarLink key={entry.address} entry={entry} isCollapsed={isCollapsed} onNavigate={onNavigate} />
        ))}
        <SignOutButton isCollapsed={isCollapsed} />
      </nav>
    </div>
  )
}

/** `prefix` is the beginning of the paths of all pages of the group. */
type SidebarGroupProps = { label: string | undefined; prefix: string | undefined; isCollapsed: boolean; children: ReactNode }

/** A collapsible group of links. It expands when one of its pages is opened. */
function SidebarGroup({ label, prefix, isCollapsed, children }: SidebarGroupProps) {
  const { pathname } = useLocation()
  const isCurrent = prefix !== undefined && pathname.startsWith(prefix)
  const [isOpen, setOpen] = useState(true)
  const [wasCurrent, setWasCurrent] = useState(isCurrent)
  if (isCurrent !== wasCurrent) {
    setWasCurrent(isCurrent)
    if (isCurrent) setOpen(true)
  }
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <nav className={classes['group']} aria-label={label ?? 'Main'}>
      {label && !isCollapsed && (
        <button type="button" className={classes['groupHead']} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {label}
          <Chevron size={12} stroke={1.75} />
        </button>
      )}
      {(isOpen || isCollapsed || !label) && children}
    </nav>
  )
}

type SidebarLinkProps = { entry: SidebarEntry; isCollapsed: boolean; onNavigate: (() => void) | undefined }

function SidebarLink({ entry: { label, address, isExact = false, icon: Icon, badge: Badge }, isCollapsed, onNavigate }: SidebarLinkProps) {
  return (
    <Tooltip label={label} position="right" disabled={!isCollapsed}>
      <Link to={address} activeOptions={{ exact: isExact }} className={classes['link']} onClick={onNavigate}>
        <Icon size={16} stroke={1.75} />
        <span className={classes['label']}>{label}</span>
        {Badge && (
          <span className={classes['badge']}>
            <Badge />
          </span>
        )}
      </Link>
    </Tooltip>
  )
}

function SignOutButton({ isCollapsed }: { isCollapsed: boolean }) {
  const [isSigningOut, setSigningOut] = useState(false)
  const signOut = async (): Promise<void> => {
    setSigningOut(true)
    if (!(await signOutWithToast())) setSigningOut(false)
  }
  return (
    <Tooltip label="Sign Out" position="right" disabled={!isCollapsed}>
      <button type="button" className={classes['link']} onClick={() => void signOut()} disabled={isSigningOut}>
        <IconLogout size={16} stroke={1.75} />
        <span className={classes['label']}>Sign Out</span>
      </button>
    </Tooltip>
  )
}

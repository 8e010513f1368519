import { useState, type ReactNode } from 'react'
import { Tooltip } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconLogout } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import type { SidebarEntry } from '#web/lib/routes.ts'
import { features } from './features.ts'
import { signOutWithToast } from './signOut.ts'
import classes from './Sidebar.module.css'

const entries: SidebarEntry[] = features.flatMap((feature) => ('sidebar' in feature ? [feature.sidebar] : []))
const groups = [...Map.groupBy(entries, ({ group }) => group?.label)]
const bottomEntries = entries.filter(({ position }) => position === 'bottom')

/** The links of the sidebar, with Trash and Sign Out at the bottom. `onNavigate` is called when a link is clicked. */
export function SidebarLinks({ collapsed = false, onNavigate }: { collapsed?: boolean; onNavigate?: () => void }) {
  return (
    <div className={classes['links']}>
      <div className={classes['scroll']}>
        {groups.map(([label, members]) => (
          <SidebarGroup key={label ?? 'main'} label={label} prefix={members[0]?.group?.prefix} collapsed={collapsed}>
            {members
              .filter(({ position }) => position !== 'bottom')
              .map((entry) => (
                <SidebarLink key={entry.to} entry={entry} collapsed={collapsed} onNavigate={onNavigate} />
              ))}
          </SidebarGroup>
        ))}
      </div>
      <nav className={classes['bottom']} aria-label="More">
        {bottomEntries.map((entry) => (
          <SidebarLink key={entry.to} entry={entry} collapsed={collapsed} onNavigate={onNavigate} />
        ))}
        <SignOutButton collapsed={collapsed} />
      </nav>
    </div>
  )
}

type SidebarGroupProps = { label: string | undefined; prefix: string | undefined; collapsed: boolean; children: ReactNode }

/** A collapsible group of links. It expands when one of its pages is opened. */
function SidebarGroup({ label, prefix, collapsed, children }: SidebarGroupProps) {
  const { pathname } = useLocation()
  const isCurrent = prefix !== undefined && pathname.startsWith(prefix)
  const [open, setOpen] = useState(true)
  const [wasCurrent, setWasCurrent] = useState(isCurrent)
  if (isCurrent !== wasCurrent) {
    setWasCurrent(isCurrent)
    if (isCurrent) setOpen(true)
  }
  const Chevron = open ? IconChevronDown : IconChevronRight
  return (
    <nav className={classes['group']} aria-label={label ?? 'Main'}>
      {label && !collapsed && (
        <button type="button" className={classes['groupHead']} aria-expanded={open} onClick={() => setOpen(!open)}>
          {label}
          <Chevron size={12} stroke={1.75} />
        </button>
      )}
      {(open || collapsed || !label) && children}
    </nav>
  )
}

type SidebarLinkProps = { entry: SidebarEntry; collapsed: boolean; onNavigate: (() => void) | undefined }

function SidebarLink({ entry: { label, to, icon: Icon, badge: Badge }, collapsed, onNavigate }: SidebarLinkProps) {
  return (
    <Tooltip label={label} position="right" disabled={!collapsed}>
      <Link to={to} className={classes['link']} onClick={onNavigate}>
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

function SignOutButton({ collapsed }: { collapsed: boolean }) {
  const [busy, setBusy] = useState(false)
  const signOut = async (): Promise<void> => {
    setBusy(true)
    if (!(await signOutWithToast())) setBusy(false)
  }
  return (
    <Tooltip label="Sign Out" position="right" disabled={!collapsed}>
      <button type="button" className={classes['link']} onClick={() => void signOut()} disabled={busy}>
        <IconLogout size={16} stroke={1.75} />
        <span className={classes['label']}>Sign Out</span>
      </button>
    </Tooltip>
  )
}

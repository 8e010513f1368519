import { Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { SidebarEntry } from '#web/lib/routes.ts'
import { features } from './features.ts'
import { SidebarGroup } from './SidebarGroup.tsx'
import { SignOutButton } from './SignOutButton.tsx'
import classes from './Sidebar.module.css'

const entries: SidebarEntry[] = features.flatMap((feature) => ('sidebar' in feature ? [feature.sidebar] : []))
const groups = [...Map.groupBy(entries, ({ group }) => group?.label)]
const bottomEntries = entries.filter(({ position }) => position === 'bottom')

/** The links themselves, with Trash and Sign Out at the foot. */
export function SidebarLinks({ rail = false, onFollow }: { rail?: boolean; onFollow?: () => void }) {
  return (
    <div className={classes['links']}>
      <div className={classes['scroll']}>
        {groups.map(([label, members]) => (
          <SidebarGroup key={label ?? 'main'} label={label} prefix={members[0]?.group?.prefix} rail={rail}>
            {members
              .filter(({ position }) => position !== 'bottom')
              .map((entry) => (
                <SidebarLink key={entry.to} entry={entry} rail={rail} onFollow={onFollow} />
              ))}
          </SidebarGroup>
        ))}
      </div>
      <nav className={classes['foot']} aria-label="More">
        {bottomEntries.map((entry) => (
          <SidebarLink key={entry.to} entry={entry} rail={rail} onFollow={onFollow} />
        ))}
        <SignOutButton rail={rail} />
      </nav>
    </div>
  )
}

type SidebarLinkProps = { entry: SidebarEntry; rail: boolean; onFollow: (() => void) | undefined }

function SidebarLink({ entry: { label, to, icon: Icon, badge: Badge }, rail, onFollow }: SidebarLinkProps) {
  return (
    <Tooltip label={label} position="right" disabled={!rail}>
      <Link to={to} className={classes['link']} onClick={onFollow}>
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

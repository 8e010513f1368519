import { ActionIcon, Tooltip } from '@mantine/core'
import { IconLayoutSidebar } from '@tabler/icons-react'
import { keyCaps } from '#web/lib/shortcuts.ts'
import { AccountRow } from './AccountRow.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { SearchButton } from './SearchButton.tsx'
import { SidebarLinks } from './SidebarLinks.tsx'
import classes from './Sidebar.module.css'

type SidebarProps = { rail: boolean; onFold: () => void }

/** The way to every screen. As a rail it shows icons only; their names appear beside them. */
export function Sidebar({ rail, onFold }: SidebarProps) {
  const words = `${rail ? 'Expand' : 'Collapse'} sidebar`
  const fold = (
    <Tooltip label={`${words} (${keyCaps('mod+b').join(' ')})`} position="right">
      <ActionIcon size={rail ? 32 : 26} aria-label={words} onClick={onFold}>
        <IconLayoutSidebar size={16} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  )
  return (
    <aside className={classes['sidebar']} data-rail={rail || undefined} aria-label="Sidebar">
      <div className={classes['head']}>
        {rail ? fold : <Brand />}
        {!rail && fold}
      </div>
      <SearchButton rail={rail} />
      <SidebarLinks rail={rail} />
      <AccountRow rail={rail} />
    </aside>
  )
}

export function Brand() {
  return (
    <span className={classes['brand']}>
      <Logo size={20} />
      <span className={classes['word']}>Foyer</span>
    </span>
  )
}

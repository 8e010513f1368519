import { useState } from 'react'
import { ActionIcon, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconLayoutSidebar, IconSearch } from '@tabler/icons-react'
import { formatKeys } from '#web/lib/shortcuts.ts'
import { Logo } from '#web/ui/Logo.tsx'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import { AccountRow } from './AccountMenu.tsx'
import { paletteState, preloadPalette } from './overlays.ts'
import { SidebarLinks } from './SidebarLinks.tsx'
import classes from './Sidebar.module.css'

/** The sidebar. When collapsed, it shows only icons, with their labels as tooltips. */
export function Sidebar({ collapsed, onToggle }: { collapsed: boolean; onToggle: () => void }) {
  const label = `${collapsed ? 'Expand' : 'Collapse'} sidebar`
  const toggleButton = (
    <Tooltip label={`${label} (${formatKeys('mod+b').join(' ')})`} position="right">
      <ActionIcon size={collapsed ? 32 : 26} aria-label={label} onClick={onToggle}>
        <IconLayoutSidebar size={16} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  )
  return (
    <aside className={classes['sidebar']} data-collapsed={collapsed || undefined} aria-label="Sidebar">
      <div className={classes['head']}>
        {collapsed ? toggleButton : <Brand />}
        {!collapsed && toggleButton}
      </div>
      <SearchButton collapsed={collapsed} />
      <SidebarLinks collapsed={collapsed} />
      <AccountRow collapsed={collapsed} />
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

/** The button that opens the palette. */
export function SearchButton({ collapsed = false, onOpen }: { collapsed?: boolean; onOpen?: () => void }) {
  const keys = formatKeys('mod+k').join(' ')
  const open = (): void => {
    onOpen?.()
    paletteState.set(true)
  }
  return (
    <Tooltip label={`Search (${keys})`} position="right" disabled={!collapsed}>
      <button
        type="button"
        className={classes['search']}
        aria-keyshortcuts="Control+K"
        aria-haspopup="dialog"
        onClick={open}
        onPointerEnter={preloadPalette}
        onFocus={preloadPalette}
      >
        <IconSearch size={16} stroke={1.75} />
        <span className={classes['label']}>Search</span>
        {!collapsed && (
          <span aria-hidden="true">
            <Shortcut keys={[keys]} />
          </span>
        )}
      </button>
    </Tooltip>
  )
}

const cookie = 'sidebar'
const cookieSeconds = 7 * 86_400
const synchronously = { getInitialValueInEffect: false }

/**
 * Returns the state of the sidebar. On wide screens a cookie stores whether it is collapsed. On narrow screens it starts collapsed. Phones
 * have a navigation drawer instead.
 */
export function useSidebar(): { isPhone: boolean; collapsed: boolean; toggle: () => void } {
  const isPhone = useMediaQuery('(max-width: 767px)', false, synchronously)
  const isNarrow = useMediaQuery('(max-width: 1023px)', false, synchronously)
  const [collapsedWide, setCollapsedWide] = useState(() => document.cookie.includes(`${cookie}=rail`))
  const [collapsedNarrow, setCollapsedNarrow] = useState(true)
  const toggle = (): void => {
    if (isNarrow) return setCollapsedNarrow(!collapsedNarrow)
    document.cookie = `${cookie}=${collapsedWide ? 'open' : 'rail'}; path=/; max-age=${cookieSeconds}; samesite=lax`
    setCollapsedWide(!collapsedWide)
  }
  return { isPhone, collapsed: !isPhone && (isNarrow ? collapsedNarrow : collapsedWide), toggle }
}

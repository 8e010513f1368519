import { useState } from 'react'
import { ActionIcon } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconLayoutSidebar, IconSearch } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { formatKeys } from '#web/lib/shortcuts.ts'
import { Logo } from '#web/ui/Logo.tsx'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { AccountRow } from './AccountMenu.tsx'
import { paletteState, preloadPalette } from './overlays.ts'
import { entries, SidebarLinks } from './SidebarLinks.tsx'
import classes from './Sidebar.module.css'

/** The sidebar. While it is collapsed, it shows only icons, with their labels as tooltips. */
export function Sidebar({ isCollapsed, onToggle }: { isCollapsed: boolean; onToggle: () => void }) {
  const label = `${isCollapsed ? 'Expand' : 'Collapse'} sidebar`
  const toggleButton = (
    <Tooltip label={`${label} (${formatKeys('mod+b').join(' ')})`} position="right">
      <ActionIcon size={isCollapsed ? 32 : 26} aria-label={label} onClick={onToggle}>
        <IconLayoutSidebar size={16} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  )
  return (
    <aside className={classes['sidebar']} data-collapsed={isCollapsed || undefined} aria-label="Sidebar">
      <div className={classes['head']}>
        {isCollapsed ? toggleButton : <Brand />}
        {!isCollapsed && toggleButton}
      </div>
      <SearchButton isCollapsed={isCollapsed} />
      <SidebarLinks isCollapsed={isCollapsed} />
      <AccountRow isCollapsed={isCollapsed} />
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

/** The button that opens the command palette. */
export function SearchButton({ isCollapsed = false, onOpen }: { isCollapsed?: boolean; onOpen?: () => void }) {
  const keys = formatKeys('mod+k').join(' ')
  const open = (): void => {
    onOpen?.()
    paletteState.set(true)
  }
  return (
    <Tooltip label={`Search (${keys})`} position="right" disabled={!isCollapsed}>
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
        {!isCollapsed && (
          <span aria-hidden="true">
            <Shortcut keys={[keys]} />
          </span>
        )}
      </button>
    </Tooltip>
  )
}

const cookieSeconds = 7 * 86_400
/** Makes `useMediaQuery` read the size of the window in the first render already. */
const readAtOnce = { getInitialValueInEffect: false }

/**
 * Returns whether the sidebar is collapsed, and a function that toggles it. Three states are independent of each other:
 * - `sidebar`, for windows of at least 1024 px: open at first.
 * - `sidebar-narrow`, for smaller windows: collapsed at first.
 * - `sidebar-beside`, for windows below 1440 px on pages that need much width (`needsWidth`): collapsed at first.
 * Cookies store `sidebar` and `sidebar-beside` for the next visit, as `open` or `rail` (collapsed). Phones have a navigation drawer instead
 * of the sidebar.
 */
export function useSidebar(): { isPhone: boolean; isCollapsed: boolean; toggle: () => void } {
  const isPhone = useMediaQuery('(max-width: 767px)', false, readAtOnce)
  const isNarrow = useMediaQuery('(max-width: 1023px)', false, readAtOnce)
  const isBelow1440 = useMediaQuery('(max-width: 1439px)', false, readAtOnce)
  const needsWidth = useLocation({
    select: ({ pathname, search }) => entries.some((entry) => entry.needsWidth?.(search) && pathname.startsWith(entry.address)),
  })
  const [collapsedStates, setCollapsedStates] = useState(() => ({
    sidebar: document.cookie.includes('sidebar=rail'),
    'sidebar-narrow': true,
    'sidebar-beside': !document.cookie.includes('sidebar-beside=open'),
  }))
  const usualStateName = isNarrow ? 'sidebar-narrow' : 'sidebar'
  const stateName = isBelow1440 && needsWidth ? 'sidebar-beside' : usualStateName
  const isCollapsed = collapsedStates[stateName]
  const toggle = (): void => {
    setCollapsedStates({ ...collapsedStates, [stateName]: !isCollapsed })
    if (stateName === 'sidebar-narrow') return
    document.cookie = `${stateName}=${isCollapsed ? 'open' : 'rail'}; path=/; max-age=${cookieSeconds}; samesite=lax`
  }
  return { isPhone, isCollapsed: !isPhone && isCollapsed, toggle }
}

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

/** The button that opens the palette. */
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

const cookieName = 'sidebar'
/** The value of the cookie while the sidebar is collapsed. */
const collapsedValue = 'rail'
const cookieSeconds = 7 * 86_400
/** Reads the size of the window in the first render already. */
const readAtOnce = { getInitialValueInEffect: false }

/**
 * Returns the state of the sidebar. On wide screens, a cookie stores the state for the next visit. On narrow screens, the sidebar is
 * collapsed at first. Phones have a navigation drawer instead of the sidebar.
 */
export function useSidebar(): { isPhone: boolean; isCollapsed: boolean; toggle: () => void } {
  const isPhone = useMediaQuery('(max-width: 767px)', false, readAtOnce)
  const isNarrow = useMediaQuery('(max-width: 1023px)', false, readAtOnce)
  const [isCollapsedWide, setIsCollapsedWide] = useState(() => document.cookie.includes(`${cookieName}=${collapsedValue}`))
  const [isCollapsedNarrow, setIsCollapsedNarrow] = useState(true)
  const toggle = (): void => {
    if (isNarrow) return setIsCollapsedNarrow(!isCollapsedNarrow)
    const newValue = isCollapsedWide ? 'open' : collapsedValue
    document.cookie = `${cookieName}=${newValue}; path=/; max-age=${cookieSeconds}; samesite=lax`
    setIsCollapsedWide(!isCollapsedWide)
  }
  const isCollapsed = isNarrow ? isCollapsedNarrow : isCollapsedWide
  return { isPhone, isCollapsed: !isPhone && isCollapsed, toggle }
}

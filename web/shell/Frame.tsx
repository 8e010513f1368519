import { useEffect, useMemo, useRef, useState, type ComponentType } from 'react'
import { ActionIcon } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { useIsFetching } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { listenForChanges } from '#web/lib/events.ts'
import { formatDayAndTime, formatExactTime, formatPlannedTime, formatRelativeTime, getToday } from '#web/lib/format.ts'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { printedTableRenderer } from '#web/lib/printing.ts'
import { everyTable, refreshTables } from '#web/lib/queries.ts'
import { useSession } from '#web/lib/session.ts'
import { useStore } from '#web/lib/store.ts'
import { loadFloating } from '#web/ui/floating.ts'
import { PageBarStartContext } from '#web/ui/PageBar.tsx'
import { TimeFormatsContext } from '#web/ui/RelativeTime.tsx'
import { useNow } from '#web/ui/useNow.ts'
import { features } from './features.ts'
import { GlobalActions } from './GlobalActions.tsx'
import { Sidebar, useSidebar } from './Sidebar.tsx'
import classes from './Frame.module.css'

const loadNavigationDrawer = () => import('./NavigationDrawer.tsx').then((module) => module.NavigationDrawer)
const NavigationDrawer = lazyPart(loadNavigationDrawer)

/** The components that features show above every page, such as the panel with the uploads. */
const layers = features.flatMap<ComponentType>((feature) => ('layer' in feature ? [feature.layer] : []))

/** The layout of every signed-in page: sidebar or navigation drawer, page content, global actions and live updates. */
export function Frame() {
  const sidebar = useSidebar()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const closeDrawer = (): void => setDrawerOpen(false)
  const mainElement = useFocusOnNewPage()
  useEffect(listenForChanges, [])
  useEffect(() => {
    if (sidebar.isPhone) void loadNavigationDrawer().catch(() => undefined) // loads early, so that the drawer opens without delay
  }, [sidebar.isPhone])
  return (
    <TimeFormatsContext value={useTimeFormats()}>
      <div className={classes['frame']} data-collapsed={sidebar.isCollapsed || undefined}>
        <a className={classes['skip']} href="#content">
          Skip to content
        </a>
        {!sidebar.isPhone && <Sidebar isCollapsed={sidebar.isCollapsed} onToggle={sidebar.toggle} />}
        {sidebar.isPhone && isDrawerOpen && <NavigationDrawer onLoadCancelled={closeDrawer} onClose={closeDrawer} />}
        <main className={classes['main']} id="content" tabIndex={-1} ref={mainElement}>
          <PageLoadingBar />
          <PageBarStartContext value={sidebar.isPhone ? <MenuButton onOpen={() => setDrawerOpen(true)} /> : null}>
            <Outlet />
          </PageBarStartContext>
        </main>
        <LoadFloatingParts />
        <RefreshOnNewDay />
        <GlobalActions onToggleSidebar={sidebar.isPhone ? () => setDrawerOpen(!isDrawerOpen) : sidebar.toggle} />
        {/* the layers are last, so that the list of shortcuts has their actions after the actions of the frame */}
        {layers.map((Layer, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the list never changes
          <Layer key={index} />
        ))}
      </div>
    </TimeFormatsContext>
  )
}

/** A moving bar at the top of the old page while another page takes long to load, so that nobody clicks again. */
function PageLoadingBar() {
  const isPageLoading = useRouterState({
    select: ({ isLoading, location, resolvedLocation }) =>
      isLoading && resolvedLocation !== undefined && location.pathname !== resolvedLocation.pathname,
  })
  return isPageLoading && <progress className={classes['loading']} aria-label="Loading the page" />
}

/** The time between the last response and the load of the code of menus. The browser needs this time to show the loaded rows. */
const menuLoadDelayMs = 100

/** Loads the code of menus only after the first screen has its data, because loading the code would delay the data. */
function LoadFloatingParts() {
  const isFetching = useIsFetching() > 0
  useEffect(() => {
    if (isFetching) return undefined
    const timer = setTimeout(loadFloating, menuLoadDelayMs)
    return () => clearTimeout(timer)
  }, [isFetching])
  return null
}

/** Requests the shown data again when a new day begins, because then other records are due today or overdue. */
function RefreshOnNewDay() {
  const today = getToday(useNow())
  const shownDay = useRef(today)
  useEffect(() => {
    if (shownDay.current === today) return
    shownDay.current = today
    void refreshTables([everyTable])
  }, [today])
  return null
}

function MenuButton({ onOpen }: { onOpen: () => void }) {
  return (
    <ActionIcon size={44} className={classes['menuButton'] ?? ''} aria-label="Open navigation" onClick={onOpen}>
      <IconMenu2 size={20} stroke={1.6} />
    </ActionIcon>
  )
}

/**
 * Returns functions that format times for the user's time zone and country. While the page is printed, the functions for relative times
 * return the day and the time instead. When the time zone or the country changes, the functions are new, so that all times render again.
 */
function useTimeFormats(): Record<'relative' | 'planned', typeof formatRelativeTime> & { exact: typeof formatExactTime } {
  const { timezone, country } = useSession().profile
  const isPrinting = useStore(printedTableRenderer) !== undefined
  return useMemo(
    () => ({
      relative: (at, now) => (isPrinting ? formatDayAndTime : formatRelativeTime)(at, now),
      planned: (at, now) => (isPrinting ? formatDayAndTime : formatPlannedTime)(at, now),
      exact: (at) => formatExactTime(at),
    }),
    // oxlint-disable-next-line react/exhaustive-deps -- the format functions depend on the time zone and the country of the profile
    [timezone, country, isPrinting],
  )
}

/** Focuses the content of a new page when the link that had the focus is gone, so that screen readers start at the top of the page. */
function useFocusOnNewPage() {
  const main = useRef<HTMLElement>(null)
  // `location` changes before the page is loaded, while the link still has the focus
  const shownPath = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  useEffect(() => {
    if (shownPath && document.activeElement === document.body) main.current?.focus({ preventScroll: true })
  }, [shownPath])
  return main
}
